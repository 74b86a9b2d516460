import Foundation
import Probes
import Workloads

/// Part of a measurement that needs a separate process, either a fresh one or one that runs under valgrind.
///
/// It prints its figures on a single line.
struct Probe {
    enum Kind: String {
        /// Only runs the operations.
        case run
        /// Runs the operations between two marks for a profiler.
        case instructions
        /// Counts the heap blocks that the operations allocate.
        case allocations
        /// Counts the bytes that the operations leave behind.
        case bytes
        /// Tracks the memory in use while the operations run.
        case growth

        var countsMemory: Bool {
            switch self {
            case .run, .instructions: false
            case .allocations, .bytes, .growth: true
            }
        }
    }

    enum Side: String {
        case subject
        case baseline
    }

    static let argument = "--probe"

    let kind: Kind
    let row: Row
    let side: Side
    let operations: Int

    var arguments: [String] { [Self.argument, kind.rawValue, row.id, side.rawValue, "\(operations)"] }

    func run() async throws {
        guard let workload = side == .subject ? row.subject : row.baseline else { throw CommandError.incompleteProbe }
        guard !kind.countsMemory || relux_probes_count_allocations() else { throw ProbeError.cannotCount }
        let session = try await workload.prepare()
        // The first sleep of a process starts a thread, which must not be attributed to an operation.
        if kind.countsMemory { _ = await settledBytes() }
        let figures: [Int64]
        switch kind {
        case .run: figures = try await elapsed(session)
        case .instructions: figures = try await marked(session)
        case .allocations: figures = try await allocations(session)
        case .bytes: figures = try await bytes(session)
        case .growth: figures = try await growth(session, step: workload.step)
        }
        await session.close()
        print(figures.map(String.init).joined(separator: " "))
    }

    /// Returns the time of all operations in nanoseconds.
    private func elapsed(_ session: Session) async throws -> [Int64] {
        [Int64(try await session.run(operations) / .nanoseconds(1))]
    }

    /// Returns the time of the operations between the marks in nanoseconds, which means little under a profiler.
    private func marked(_ session: Session) async throws -> [Int64] {
        // One-time work must not be attributed to the operations, and neither must work that the preparation has left
        // running.
        _ = try await session.run(min(operations, 1_000))
        await waitForStillness()
        relux_probes_begin()
        let figures = try await elapsed(session)
        relux_probes_end()
        return figures
    }

    /// Returns once the process is nearly idle.
    private func waitForStillness() async {
        var last = relux_probes_processor_time()
        for _ in 0..<100 {
            try? await Task.sleep(for: .milliseconds(50))
            let now = relux_probes_processor_time()
            // Waking up and checking takes less than this, even under a profiler that makes it fifty times slower.
            if now - last < 5_000_000 { break }
            last = now
        }
    }

    /// Returns the blocks that the operations allocate, without those that any number of operations allocates.
    private func allocations(_ session: Session) async throws -> [Int64] {
        _ = try await session.run(operations)
        let once = try await counted { _ = try await session.run(operations) }
        let twice = try await counted { _ = try await session.run(2 * operations) }
        return [twice - once]
    }

    private func counted(_ body: () async throws -> Void) async throws -> Int64 {
        let before = relux_probes_allocations()
        relux_probes_set_counting(true)
        try await body()
        relux_probes_set_counting(false)
        return relux_probes_allocations() - before
    }

    /// Returns the heap bytes that the operations leave behind, and the growth of the resident memory in the meantime.
    private func bytes(_ session: Session) async throws -> [Int64] {
        let resident = relux_probes_resident_bytes()
        relux_probes_set_counting(true)
        _ = try await session.run(operations)
        let live = await settledBytes()
        relux_probes_set_counting(false)
        return [live, relux_probes_resident_bytes() - resident]
    }

    /// Returns how much the heap and the resident memory grow, in bytes, after the first hundredth of the operations.
    private func growth(_ session: Session, step: Int) async throws -> [Int64] {
        let first = max(step, operations / 100 / step * step)
        relux_probes_set_counting(true)
        _ = try await session.run(first)
        let early = (live: await settledBytes(), resident: relux_probes_resident_bytes())
        _ = try await session.run(operations - first)
        let late = (live: await settledBytes(), resident: relux_probes_resident_bytes())
        relux_probes_set_counting(false)
        return [late.live - early.live, late.resident - early.resident]
    }

    /// Returns the bytes in use once they no longer change, because tasks are released shortly after they have ended.
    private func settledBytes() async -> Int64 {
        var last = relux_probes_live_bytes()
        for _ in 0..<100 {
            try? await Task.sleep(for: .milliseconds(20))
            let now = relux_probes_live_bytes()
            if now == last { break }
            last = now
        }
        return last
    }
}

extension Probe {
    init(_ arguments: some Collection<String>) throws(CommandError) {
        let arguments = Array(arguments)
        guard arguments.count == 4, let kind = Kind(rawValue: arguments[0]), let side = Side(rawValue: arguments[2]),
            let operations = Int(arguments[3]), operations >= 0
        else { throw .incompleteProbe }
        self.init(kind: kind, row: try .named(arguments[1]), side: side, operations: operations)
    }
}

/// The reason for which a probe can't produce a figure.
enum ProbeError: Error, CustomStringConvertible {
    case cannotCount
    case noValgrind
    case noStrip
    case neverAtOnce
    case failed(command: String, status: Int32, output: String)
    case unreadable(command: String, output: String)

    var description: String {
        switch self {
        case .cannotCount: "allocations can be counted on Linux with glibc only"
        case .noValgrind: "valgrind is not on the PATH; it counts the instructions"
        case .noStrip: "strip or size is not on the PATH; debug information must be removed before measuring"
        case .neverAtOnce: "its tasks hardly ever ran at once; end what else keeps the processors busy, and try again"
        case .failed(let command, let status, let output): "\(command) ended with status \(status): \(output)"
        case .unreadable(let command, let output): "\(command) printed no figures: \(output)"
        }
    }
}
