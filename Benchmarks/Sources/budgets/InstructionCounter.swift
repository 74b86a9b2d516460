import Foundation
import Workloads

/// Counts instructions with valgrind's callgrind, which is the same on a busy machine.
///
/// What an operation costs is the difference between two numbers of operations, divided by the operations between them,
/// so that starting, preparing and ending cancel out.
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
        let few = 1_000
        let many = 41_000
        return try (0..<5).map { _ in
            let difference = try total(row, side, many) - total(row, side, few)
            return difference / Double(many - few)
        }.median
    }

    private func total(_ row: Row, _ side: Probe.Side, _ operations: Int) throws -> Double {
        let probe = Probe(kind: .run, row: row, side: side, operations: operations)
        let output = try Child.run(
            valgrind,
            ["--tool=callgrind", "--callgrind-out-file=\(folder.appending(path: "profile").path())", program.path()]
                + probe.arguments,
            // One seed less in which two processes would differ.
            adding: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        )
        // ==1234== Collected : 567890
        guard let line = output.error.split(separator: "\n").last(where: { $0.contains("Collected :") }),
            let figure = line.split(separator: " ").last.flatMap({ Double($0) })
        else { throw ProbeError.unreadable(command: "valgrind", output: output.error) }
        return figure
    }
}
