import Foundation
import Relux
import ReluxDiagnostics
import Testing

extension Simulation {
    /// Runs a failing schedule again, and writes the recorded traces.
    ///
    /// - Returns: A sentence about what was written, for the issue.
    static func write(
        _ failure: Outcome, to folder: URL, named name: String, _ scenario: @escaping Scenario
    ) async -> String {
        guard let tape = ScheduleTape(token: failure.token) else { return "" }
        let capture = IssueCapture()
        let run = SimulationRun(limits: failure.limits, scenario: scenario, capture: capture)
        let result = await capture.whileCapturing { run.run(.tape(tape), isRecording: true) }
        var pages: [String] = []
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (index, trace) in result.traces.enumerated() {
                var trace = trace
                let store = result.traces.count > 1 ? "-store-\(index + 1)" : ""
                trace.title = "\(name)\(store)"
                let page = folder.appending(path: "\(name)\(store).html")
                let lead = "\(failure.failure ?? "")\n\n\(failure.advice)"
                try Data(trace.timeline(lead: lead).utf8).write(to: page, options: .atomic)
                try trace.write(to: folder.appending(path: "\(name)\(store).jsonl"))
                pages.append(page.path(percentEncoded: false))
            }
        } catch {
            return "The pages could not be written: \(error)"
        }
        let remark = result.failure == nil ? " This time, the schedule has passed." : ""
        return pages.isEmpty ? "" : "It is shown in \(pages.joined(separator: ", ")).\(remark)"
    }
}

extension SourceLocation {
    /// The name of a file about this line, such as `SearchTests-12`.
    var pageName: String {
        let file = fileID.split(separator: "/").last.map(String.init) ?? fileID
        return "\(file.hasSuffix(".swift") ? String(file.dropLast(6)) : file)-\(line)"
    }
}
