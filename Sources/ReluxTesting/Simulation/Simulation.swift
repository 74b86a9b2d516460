import Relux
import Testing

/// Runs a scenario under many interleavings, each of which can be repeated exactly.
///
/// All tasks of a scenario, including those of its stores, run one job at a time on a ``SeededExecutor``. Time is
/// virtual: it jumps to the next deadline when nothing else can run. The first run takes the plain order: first in,
/// first out, with the shortest latencies and no faults. After it, each seed determines another schedule. Half of the
/// seeds choose each job uniformly. The others give the tasks random priorities (PCT), which can hold a task back for a
/// long time. In half of the seeds, up to a second may also pass while code can still run, so that short timers
/// overtake work, as on a busy machine.
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
/// - an error of a run that nobody received, an action or effect that nothing takes, and a misuse such as an action
///   dispatched synchronously inside a store, unless the scenario has called
///   ``World/expectFailure(_:sourceLocation:)`` or ``World/expectRefusal(sourceLocation:)``
/// - a ``World/always(_:fileID:line:_:)`` or ``World/finally(_:fileID:line:_:)`` invariant that doesn't hold
/// - work that leaves the scheduler
/// - a scenario that doesn't end
///
/// An exploration without a single seed fails too. So does one in which no run had the state of an `always` invariant,
/// or a command of ``World/commands(_:against:of:model:fileID:line:next:run:update:agree:)``.
///
/// The exploration stops at the first seed that fails, shrinks its schedule, and records one issue at the line of the
/// call. It contains the seed, what failed, the actions and runs in order, and a token, with which
/// ``replay(_:jobLimit:timeLimit:timePassesEarly:sourceLocation:_:)`` repeats the shrunk schedule.
///
/// Issues recorded inside the scenario are part of its text instead of being reported separately. A saga that a `send`
/// triggers is an exception: it doesn't inherit the test's task-local values, so its issues fail the seed and are also
/// recorded separately. A `withKnownIssue` around an exploration concerns only the issue that the exploration records,
/// not those of the scenario.
///
/// Seeds are explored side by side, one on each processor. The report is the same as if they had been explored one
/// after another.
///
/// - Isolation: Each run occupies a thread of the global pool until the scenario ends, and several runs of the scenario
///   overlap. The main actor is outside the scheduler, so work that hops to it leaves the scheduler.
/// - Ordering: A scenario's order is determined by its seed alone, in every process, as long as nothing leaves the
///   scheduler and nothing depends on addresses, hashing or the time of day.
/// - Cancellation: Cancelling the test ends an exploration between two seeds.
/// - Lifetime: When a seed is over, its tasks are cancelled, its stores are shut down, and the world releases them.
public enum Simulation {
    /// The code that runs in a world.
    public typealias Scenario = @Sendable (World) async throws -> Void

    /// Runs a scenario in its plain order and then once per seed until one fails.
    ///
    /// A failure is shrunk: the schedule that is reported is the simplest one found that fails in the same way.
    ///
    /// - Parameters:
    ///   - seeds: The seeds. Each determines one interleaving, its latencies and its random numbers.
    ///   - jobLimit: The number of jobs after which a run is considered endless and fails.
    ///   - timeLimit: The virtual time after which a run is considered endless and fails.
    ///   - timePassesEarly: Whether time may pass while code can still run. If not, an invariant may assume that
    ///     everything that can happen at once happens at the same time.
    ///   - folder: The folder for a page and a trace file of each store in the shrunk failure. They are named after the
    ///     file and line of the call. Nothing is written if nothing fails.
    ///   - scenario: The code to run. It is over when it has returned, the tasks that it started with
    ///     ``World/task(_:fileID:line:operation:)`` have ended, and every store of the world is idle.
    /// - Returns: The number of seeds that passed, how many orders they have tried, and the failure if there is one.
    /// - Complexity: A short scenario takes a few hundred microseconds per seed in a release build. A failure adds up
    ///   to 400 runs.
    @concurrent
    @discardableResult
    public static func explore(
        seeds: some Sequence<UInt64> & Sendable,
        jobLimit: Int = 50_000,
        timeLimit: Duration = .seconds(366 * 86_400),
        timePassesEarly: Bool = true,
        traces folder: (any FileLocation)? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async -> Report {
        let report = await search(
            seeds: seeds, jobLimit: jobLimit, timeLimit: timeLimit, timePassesEarly: timePassesEarly, scenario)
        if let failure = report.failure {
            var summary = report.passed > 0 ? "\n\n\(report.summary)" : ""
            if let folder {
                summary += await "\n\n" + write(failure, to: folder.fileURL, named: sourceLocation.pageName, scenario)
            }
            Issue.record("\(failure)\(summary)", sourceLocation: sourceLocation)
        } else if report.passed == 0, !Task.isCancelled {
            Issue.record("There are no seeds, so nothing was explored.", sourceLocation: sourceLocation)
        } else if !Task.isCancelled {
            for warning in report.warnings { Issue.record("\(warning)", sourceLocation: sourceLocation) }
        }
        return report
    }

    /// Runs a scenario with one seed, exactly as an exploration ran it.
    ///
    /// A failure is recorded as an issue at the line of the call.
    ///
    /// - Parameters:
    ///   - jobLimit: The number of jobs after which the run is considered endless and fails.
    ///   - timeLimit: The virtual time after which the run is considered endless and fails.
    ///   - timePassesEarly: As for the exploration. With another value, the run takes another order.
    ///   - scenario: The scenario that was explored.
    @concurrent
    @discardableResult
    public static func replay(
        seed: UInt64,
        jobLimit: Int = 50_000,
        timeLimit: Duration = .seconds(366 * 86_400),
        timePassesEarly: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async -> Outcome {
        let limits = Limits(jobs: jobLimit, time: timeLimit, passesEarly: timePassesEarly)
        return await replay(.seed(seed), seed: seed, limits, sourceLocation, scenario)
    }

    /// Runs a scenario with the schedule of a failure.
    ///
    /// A failure is recorded as an issue at the line of the call, and so is a token that isn't one.
    ///
    /// - Parameters:
    ///   - token: The ``Outcome/token`` of the failure, which is also part of its text.
    ///   - jobLimit: The number of jobs after which the run is considered endless and fails.
    ///   - timeLimit: The virtual time after which the run is considered endless and fails.
    ///   - timePassesEarly: As for the exploration. With another value, the run takes another order.
    ///   - scenario: The scenario that was explored.
    @concurrent
    @discardableResult
    public static func replay(
        _ token: String,
        jobLimit: Int = 50_000,
        timeLimit: Duration = .seconds(366 * 86_400),
        timePassesEarly: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async -> Outcome {
        let limits = Limits(jobs: jobLimit, time: timeLimit, passesEarly: timePassesEarly)
        guard let tape = ScheduleTape(token: token) else {
            let text = "“\(token)” is not a token of a schedule. Copy it from the failure."
            Issue.record("\(text)", sourceLocation: sourceLocation)
            return Outcome(seed: nil, failure: text, trace: [], token: token, limits: limits)
        }
        return await replay(.tape(tape), seed: nil, limits, sourceLocation, scenario)
    }

    private static func replay(
        _ strategy: Schedule.Strategy, seed: UInt64?, _ limits: Limits, _ sourceLocation: SourceLocation,
        _ scenario: @escaping Scenario
    ) async -> Outcome {
        let capture = IssueCapture()
        let run = SimulationRun(limits: limits, scenario: scenario, capture: capture)
        let outcome = await capture.whileCapturing { Outcome(run.run(strategy), seed: seed, limits: limits) }
        if outcome.failure != nil { Issue.record("\(outcome)", sourceLocation: sourceLocation) }
        return outcome
    }

    /// Runs a scenario in its plain order and then once per seed until one fails, without recording an issue.
    @concurrent
    package static func search(
        seeds: some Sequence<UInt64> & Sendable, jobLimit: Int = 50_000,
        timeLimit: Duration = .seconds(366 * 86_400), timePassesEarly: Bool = true, _ scenario: @escaping Scenario
    ) async -> Report {
        let capture = IssueCapture()
        let run = SimulationRun(
            limits: Limits(jobs: jobLimit, time: timeLimit, passesEarly: timePassesEarly), scenario: scenario,
            capture: capture)
        let queue = SeedQueue(seeds)
        guard !queue.isEmpty else { return Report() }
        return await capture.whileCapturing {
            var report = Report()
            guard !Task.isCancelled else { return report }
            let plain = run.run(.plain)
            if let kind = plain.failure?.kind {
                report.failure = Outcome(shrinking: plain, kind, of: run, seed: nil)
                return report
            }
            queue.addPlain(plain)
            await withTaskGroup { group in
                for _ in 0..<Processors.count { group.addTask { await work(queue, run) } }
            }
            report = queue.report
            if let failure = queue.failure {
                report.failure = Outcome(shrinking: failure.result, failure.kind, of: run, seed: failure.seed)
            }
            return report
        }
    }

    /// Explores seeds until none is left, one has failed, or the task is cancelled.
    private static func work(_ queue: SeedQueue, _ run: SimulationRun) async {
        while !Task.isCancelled, let (index, seed) = queue.next() {
            queue.add(run.run(.seed(seed)), of: index, seed)
            // Lets other tasks of this pool run. Nothing depends on it: the seed is over, and the next one starts on a
            // new executor.
            await Task.yield()
        }
    }
}
