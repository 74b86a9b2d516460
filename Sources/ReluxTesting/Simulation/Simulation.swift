import Relux
import Testing

/// Runs a scenario under many interleavings, each of which can be repeated exactly.
///
/// All tasks of a scenario, including those of its stores, run one job at a time on a ``SeededExecutor``, which uses
/// its seed to choose the next job at random. Time is virtual: it jumps to the next deadline when nothing else can run.
/// A thousand seeds therefore try a thousand orders in about a second, and a single number identifies each of them.
///
/// ```swift
/// await Simulation.explore(seeds: 0..<1000) { world in
///     let service = SlowSearch(world: world)
///     let store = try await world.store { Search.Module(service: service) }
///     world.always("the answer fits the query", of: Search.State.self) { $0.answer == nil || $0.answer == $0.query }
///
///     world.task { await store.dispatch(Search.Effect.find("a")) }
///     world.task { await store.dispatch(Search.Effect.find("b")) }
/// }
/// ```
///
/// Each of the following fails a seed:
///
/// - an error thrown by the scenario or by one of its tasks
/// - an issue that `#expect`, `#require` or `Issue.record` records in the scenario, its tasks, a saga or a service
/// - an error of a run that nobody received, and an action or effect that nothing takes, unless the scenario has called
///   ``World/expectFailure(_:sourceLocation:)`` or ``World/expectRefusal(sourceLocation:)``
/// - a ``World/always(_:fileID:line:_:)`` or ``World/finally(_:fileID:line:_:)`` invariant that doesn't hold
/// - work that leaves the scheduler
/// - a scenario that doesn't end
///
/// An exploration without a single seed fails too.
///
/// The exploration stops at the first seed that fails and records one issue at the line of the call. It contains the
/// seed, what failed, and the actions and runs in order. Issues recorded inside the scenario are part of its text
/// instead of being reported separately. A saga that a `send` triggers is an exception: it doesn't inherit the test's
/// task-local values, so its issues fail the seed and are also recorded separately. A `withKnownIssue` around an
/// exploration concerns only the issue that the exploration records, not those of the scenario.
///
/// - Isolation: The scenario runs on a thread of the global pool and occupies it until the scenario ends. The main
///   actor is outside the scheduler, so work that hops to it leaves the scheduler.
/// - Ordering: A scenario's order is determined by its seed alone, in every process, as long as nothing leaves the
///   scheduler and nothing depends on addresses, hashing or the time of day.
/// - Cancellation: Cancelling the test ends an exploration between two seeds.
/// - Lifetime: When a seed is over, its tasks are cancelled, its stores are shut down, and the world releases them.
public enum Simulation {
    /// The code that runs in a world.
    public typealias Scenario = @Sendable (World) async throws -> Void

    /// Runs a scenario once per seed until one fails.
    ///
    /// - Parameters:
    ///   - seeds: The seeds. Each determines one interleaving, its latencies and its random numbers.
    ///   - jobLimit: The number of jobs after which a run is considered endless and fails.
    ///   - scenario: The code to run. It is over when it has returned, the tasks that it started with
    ///     ``World/task(_:fileID:line:operation:)`` have ended, and every store of the world is idle.
    /// - Returns: The number of seeds that passed, and the failure if there is one.
    /// - Complexity: A short scenario takes a few hundred microseconds per seed in a release build.
    @concurrent
    @discardableResult
    public static func explore(
        seeds: some Sequence<UInt64> & Sendable,
        jobLimit: Int = 1_000_000,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async -> Report {
        let report = await search(seeds: seeds, jobLimit: jobLimit, scenario)
        if let failure = report.failure {
            Issue.record("\(failure)", sourceLocation: sourceLocation)
        } else if report.passed == 0, !Task.isCancelled {
            Issue.record("There are no seeds, so nothing was explored.", sourceLocation: sourceLocation)
        }
        return report
    }

    /// Runs a scenario with one seed, exactly as an exploration ran it.
    ///
    /// A failure is recorded as an issue at the line of the call.
    ///
    /// - Parameters:
    ///   - jobLimit: The number of jobs after which the run is considered endless and fails.
    ///   - scenario: The scenario that was explored.
    @concurrent
    @discardableResult
    public static func replay(
        seed: UInt64,
        jobLimit: Int = 1_000_000,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async -> Outcome {
        let capture = IssueCapture()
        let outcome = Shared(Outcome(seed: seed, failure: nil, trace: []))
        await capture.whileCapturing {
            let run = SimulationRun(seed: seed, jobLimit: jobLimit, scenario: scenario, capture: capture)
            let result = run.outcome()
            outcome.change { $0 = result }
        }
        let result = outcome.value
        if result.failure != nil { Issue.record("\(result)", sourceLocation: sourceLocation) }
        return result
    }

    /// Runs a scenario once per seed until one fails, without recording an issue.
    @concurrent
    package static func search(
        seeds: some Sequence<UInt64> & Sendable, jobLimit: Int = 1_000_000, _ scenario: @escaping Scenario
    ) async -> Report {
        let capture = IssueCapture()
        let result = Shared(Report(passed: 0, failure: nil))
        await capture.whileCapturing {
            for seed in seeds where !Task.isCancelled {
                let run = SimulationRun(seed: seed, jobLimit: jobLimit, scenario: scenario, capture: capture)
                if let failure = run.failure() { return result.change { $0.failure = failure } }
                result.change { $0.passed += 1 }
                // Lets other tasks of this pool run. Nothing depends on it: the seed is over, and the next one starts
                // on a new executor.
                await Task.yield()
            }
        }
        return result.value
    }
}
