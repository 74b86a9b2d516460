import Relux

/// Hands out seeds to several workers, and collects the results as if the seeds had been explored one after another.
///
/// - Isolation: Any thread.
/// - Ordering: Seeds are handed out in order. A result counts once those of all earlier seeds have arrived.
final class SeedQueue: Sendable {
    /// The first seed that failed.
    struct Failure: Sendable {
        let index: Int
        let seed: UInt64
        let kind: String
        let result: SimulationRun.Result
    }

    private struct Contents {
        /// The seed that is handed out next; nil if there is none.
        var upcoming: UInt64?
        var next: () -> UInt64?
        /// The number of seeds that have been handed out.
        var handed = 0
        /// The orders of the seeds that have passed, after one that is still running.
        var early: [Int: UInt64] = [:]
        var failure: Failure?
        var report = Simulation.Report()
    }

    private let contents: Lock<Contents>

    init(_ seeds: some Sequence<UInt64> & Sendable) {
        var iterator = seeds.makeIterator()
        contents = Lock(Contents(upcoming: iterator.next(), next: { iterator.next() }))
    }

    /// Whether there are no more seeds.
    var isEmpty: Bool { contents.withLock { $0.upcoming == nil } }

    /// Adds the result of the plain run, which passed.
    func addPlain(_ result: SimulationRun.Result) {
        contents.withLock { contents in
            contents.report.add(result.order, isSeed: false)
            contents.report.add(result.checks)
        }
    }

    /// The results of the seeds before the first failure, or before the first one that was not explored.
    var report: Simulation.Report { contents.withLock { $0.report } }

    /// The first failure in the order of the seeds, once all workers have ended.
    var failure: Failure? { contents.withLock { $0.failure } }

    /// Returns the next seed; nil if there is none, or if one has failed.
    func next() -> (index: Int, seed: UInt64)? {
        contents.withLock { contents in
            guard contents.failure == nil, let seed = contents.upcoming else { return nil }
            contents.upcoming = contents.next()
            defer { contents.handed += 1 }
            return (contents.handed, seed)
        }
    }

    /// Adds the result of a seed.
    func add(_ result: SimulationRun.Result, of index: Int, _ seed: UInt64) {
        contents.withLock { contents in
            if let kind = result.failure?.kind {
                if index < contents.failure?.index ?? .max {
                    contents.failure = Failure(index: index, seed: seed, kind: kind, result: result)
                }
            } else {
                contents.early[index] = result.order
                contents.report.add(result.checks)
            }
            while let order = contents.early.removeValue(forKey: contents.report.passed) {
                contents.report.add(order, isSeed: true)
            }
        }
    }
}
