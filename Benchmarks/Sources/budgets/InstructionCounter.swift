import Foundation
import Workloads

/// Counts instructions with valgrind's callgrind, which is the same on a busy machine.
///
/// It counts from one mark of the probe to the other, so that neither starting nor preparing nor ending belongs to what
/// an operation costs.
final class InstructionCounter {
    private let valgrind: URL
    private let folder: URL
    private let program: URL

    init() throws {
        guard let valgrind = Child.find("valgrind") else { throw ProbeError.noValgrind }
        guard let strip = Child.find("strip") else { throw ProbeError.noStrip }
        self.valgrind = valgrind
        folder = FileManager.default.temporaryDirectory.appending(path: "relux-budgets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        program = folder.appending(path: "budgets")
        _ = try Child.run(strip, ["--strip-debug", "-o", program.path(), Child.ownProgram().path()])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Instructions an operation, on all threads.
    ///
    /// The median of several processes: where the metadata of types lies differs from one to the next, and with it how
    /// many steps it takes to find one in a dictionary.
    func count(_ row: Row, _ side: Probe.Side) throws -> Double {
        let operations = 40_000
        return try (0..<5).map { _ in try total(row, side, operations) / Double(operations) }.median
    }

    /// What the operations take between the marks of the probe.
    private func total(_ row: Row, _ side: Probe.Side, _ operations: Int) throws -> Double {
        let probe = Probe(kind: .instructions, row: row, side: side, operations: operations)
        // A name of its own: no dump of an earlier process can be taken for one that this didn't write.
        let profile = folder.appending(path: UUID().uuidString)
        let output = try Child.run(
            valgrind,
            [
                "--tool=callgrind", "--callgrind-out-file=\(profile.path())", "--zero-before=relux_probes_begin",
                "--dump-before=relux_probes_end", program.path(),
            ] + probe.arguments,
            // One seed less in which two processes would differ.
            adding: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        )
        // The first dump is the one at the mark; the one at the end has no number. `totals: 567890`
        let dump = (try? String(contentsOf: profile.appendingPathExtension("1"), encoding: .utf8)) ?? ""
        guard let line = dump.split(separator: "\n").last(where: { $0.hasPrefix("totals: ") }),
            let figure = Double(line.dropFirst("totals: ".count))
        else { throw ProbeError.unreadable(command: "valgrind", output: output.error) }
        return figure
    }
}
