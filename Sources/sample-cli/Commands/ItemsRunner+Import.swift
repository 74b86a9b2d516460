import Foundation
import Relux
import SampleDomain
import SampleServices

extension ItemsRunner {
    /// Imports the lines of a text, and reports the progress and the result. A hyphen stands for standard input.
    func importTitles(from path: String) async throws -> ExitStatus {
        let lines =
            path == "-" ? FileTextLines(descriptor: 0, name: Texts.standardInput) : FileTextLines(path: path)
        let work = Task { try await store.perform(Items.Import(of: lines)) }
        let (result, signal) = await invocation.ending.run(interruptedBy: { work.cancel() }) {
            let result = await work.result
            // A save that a cancelled import has started completes, and counts.
            try? await store.idle()
            return result
        }
        let state = try await store.state(of: Items.State.self)
        if let former = state.formerHistory { console.complain(Texts.setAside(former), as: "history-set-aside") }
        let saved = Texts.importedBefore(state.importing?.saved ?? 0)
        do {
            let progress = try result.get()
            try invocation.show(ImportJSON(progress), [Texts.imported(progress)])
            return .success
        } catch Relux.EffectError.failed(let failure as ItemsError) {
            let complaint = Texts.complaint(failure)
            throw Complaint(complaint.lines + [saved], as: complaint.code)
        } catch Relux.EffectError.cancelled where signal != nil {
            let line = "\(Texts.interrupted) \(saved)"
            if console.isJSON { console.complain([line], as: "interrupted") } else { console.error(line + "\n") }
            return signal.flatMap { ExitStatus(rawValue: 128 + $0) } ?? .interrupted
        }
    }
}
