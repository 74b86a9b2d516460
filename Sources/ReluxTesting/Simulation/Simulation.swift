import Relux
import Testing

/// Runs a scenario under many interleavings, each of which can be repeated exactly.
///
/// All tasks of a scenario, its stores included, run one job at a time on a ``SeededExecutor``, which chooses the next
/// one at random by its seed. Time is virtual: it jumps to the next deadline when nothing else can run. So a thousand
/// seeds try a thousand orders in about a second, and one number names each of them.
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
/// What fails a seed: an error that the scenario or a task of it throws; an issue that `#expect`, `#require` or
/// `Issue.record` records in them, in a saga or in a service; an ``World/always(_:_:)`` or a ``World/finally(_:_:)``
/// that doesn't hold; work that leaves the scheduler; a scenario that doesn't end.
///
/// The exploration stops at the first seed that fails. It becomes one issue at the line of the call: the seed, what
/// failed, and the actions and runs in order. The issues recorded inside are part of its text, not issues of their own.
/// That holds for what inherits the test's task-local values; detached tasks, and sagas that a `send` set off, don't.
/// Their issues are recorded as they are.
///
/// - Isolation: The scenario runs on a thread of the global pool, which is busy with it until it ends. Code on the main
///   actor is outside: work that goes there leaves the scheduler.
/// - Ordering: A scenario's order follows from its seed alone, in every process, as long as nothing leaves the
///   scheduler and nothing in it depends on addresses, on hashing or on the time of day.
/// - Cancellation: Cancelling the test ends an exploration between two seeds.
/// - Lifetime: When a seed is over its tasks are cancelled, its stores shut down, and the world forgets them.
public enum Simulation {
    /// Something that happens in a world.
    public typealias Scenario = @Sendable (World) async throws -> Void

    /// Runs a scenario once a seed, until one fails.
    ///
    /// - Parameters:
    ///   - seeds: What the interleavings, latencies and random numbers follow from.
    ///   - jobLimit: After how many jobs a run counts as one that never ends.
    ///   - sourceLocation: Where a failure is recorded: at the call unless stated otherwise.
    ///   - scenario: What happens. It is over when it has returned, the tasks that it made by
    ///     ``World/task(_:fileID:line:operation:)`` have ended, and every store of the world is idle.
    /// - Returns: How many seeds have passed, and what failed.
    /// - Complexity: A short scenario takes some hundred microseconds in a release build.
    @concurrent
    @discardableResult
    public static func explore(
        seeds: some Sequence<UInt64> & Sendable,
        jobLimit: Int = 1_000_000,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async -> Report {
        let report = await search(seeds: seeds, jobLimit: jobLimit, scenario)
        if let failure = report.failure { Issue.record("\(failure)", sourceLocation: sourceLocation) }
        return report
    }

    /// Runs a scenario with one seed: exactly as an exploration ran it.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - jobLimit: After how many jobs a run counts as one that never ends.
    ///   - sourceLocation: Where a failure is recorded: at the call unless stated otherwise.
    ///   - scenario: The same as that of the exploration.
    /// - Returns: What happened.
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

    /// Runs a scenario once a seed, until one fails, and records nothing.
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
                // For others on this pool, who want to run too. Nothing is waited for by it: what a seed does is over,
                // and the next one begins anew on an executor of its own.
                await Task.yield()
            }
        }
        return result.value
    }
}
