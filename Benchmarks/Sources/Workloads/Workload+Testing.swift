import Baselines
import Relux
import ReluxTesting
import Synchronization
import Testing

// These workloads fail instead of being fast for the wrong reason.

/// A scenario failed, or a search covered something else.
private struct UnexpectedReport: Error, CustomStringConvertible {
    let description: String
}

extension Workload {
    /// One seed of a short scenario: a store, two tasks, and a saga that dispatches back.
    ///
    /// The run in plain order, which comes before the seeds of each exploration, counts as one of them.
    package static let simulatedScenario = Workload("a simulated scenario", step: 100) {
        let next = Atomic<UInt64>(0)
        return Session { operations in
            var left = UInt64(operations)
            while left > 0 {
                let count = min(left, 10_000)
                left -= count
                let first = next.wrappingAdd(count, ordering: .relaxed).oldValue
                try await explore(first..<first + count - 1)
            }
        }
    }

    /// One transition of a search of 250,000 states with four actions each.
    package static let stateSpaceTransition = Workload("a transition of a state space", step: 1_000_000) {
        Session { operations in
            for _ in 0..<operations / 1_000_000 {
                let report = StateSpace.explore(from: Walker(), actions: Walker.Action.allCases) { walker in
                    walker.x < Walker.size && walker.y < Walker.size
                }
                guard report.transitions == 1_000_000, report.violation == nil else {
                    throw UnexpectedReport(description: "\(report)")
                }
            }
        }
    }

    /// A step of a test store that states one change, one of a thousand.
    package static let testStoreStep = Workload("a step of a test store", step: 1_000) {
        Session.timingItself { operations in
            var elapsed = Duration.zero
            for _ in 0..<operations / 1_000 {
                let store = try await TestStore { CounterModule() }
                let start = ContinuousClock.now
                for index in 1...1_000 {
                    await store.dispatch(Counter.Action.add(1), to: Counter.self) { $0 = Counter(index) }
                }
                elapsed += start.duration(to: .now)
                await store.finish()
            }
            return elapsed
        }
    }
}

@concurrent
private func explore(_ seeds: Range<UInt64>) async throws {
    let report = await Simulation.explore(seeds: seeds) { world in
        let store = try await world.store { PingModule() }
        world.finally("both count", of: Counter.self) { $0.count == 2 }
        for _ in 0..<2 { world.task { await store.dispatch(Ping()) } }
    }
    guard report.failure == nil, report.passed == seeds.count else { throw UnexpectedReport(description: "\(report)") }
}

/// A small state: a place on a board whose edges are joined.
private struct Walker: Relux.State, Hashable {
    enum Action: Relux.Action, CaseIterable { case left, right, up, down }

    static let size: UInt16 = 500

    var x: UInt16 = 0
    var y: UInt16 = 0

    mutating func reduce(_ action: Action) {
        switch action {
        case .left: x = (x + Self.size - 1) % Self.size
        case .right: x = (x + 1) % Self.size
        case .up: y = (y + Self.size - 1) % Self.size
        case .down: y = (y + 1) % Self.size
        }
    }
}
