import Foundation
import Workloads

/// Counts instructions with valgrind's callgrind, whose counts don't depend on the load of the machine.
///
/// It counts only between the two marks of the probe, so that start-up, preparation and clean-up are not attributed to
/// the operations.
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

    /// Returns the instructions per operation, on all threads.
    ///
    /// This is the median of several processes. The addresses of type metadata differ between processes, and so does
    /// the number of steps needed to find a type in a dictionary.
    func count(_ row: Row, _ side: Probe.Side, over operations: Int) throws -> Double {
        return try (0..<5).map { _ in try total(row, side, operations) / Double(operations) }.median
    }

    /// Returns the instructions executed between the marks of the probe.
    private func total(_ row: Row, _ side: Probe.Side, _ operations: Int) throws -> Double {
        let probe = Probe(kind: .instructions, row: row, side: side, operations: operations)
        // A unique name, so that no dump of an earlier process can be mistaken for one that this process failed to
        // write.
        let profile = folder.appending(path: UUID().uuidString)
        let output = try Child.run(
            valgrind,
            [
                "--tool=callgrind", "--callgrind-out-file=\(profile.path())", "--zero-before=relux_probes_begin",
                "--dump-before=relux_probes_end", program.path(),
            ] + probe.arguments,
            // Removes one source of differences between processes: the hashing seed.
            adding: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        )
        // The first dump is the one made at the mark. The one made at exit has no number. The line reads `totals:
        // 567890`.
        let dump = (try? String(contentsOf: profile.appendingPathExtension("1"), encoding: .utf8)) ?? ""
        guard let line = dump.split(separator: "\n").last(where: { $0.hasPrefix("totals: ") }),
            let figure = Double(line.dropFirst("totals: ".count))
        else { throw ProbeError.unreadable(command: "valgrind", output: output.error) }
        return figure
    }
}
