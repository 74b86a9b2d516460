import Relux
import Testing

/// An event in the story of some jobs.
enum JobEvent: Sendable {
    /// A job is performed by a new task, and has reached its gate.
    case begin(String, Relux.Policy)
    /// A job is performed by a new task, and its trigger has been reduced.
    case perform(String, Relux.Policy)
    case dispatch(String, Relux.Policy)
    /// A job that was already performed or dispatched reaches its gate.
    case arrive(String)
    /// The task that performs a job has got its answer.
    case end(String)
    /// The task that performs a job is cancelled.
    case cancel(String)
    case release(String)
    /// A reset has emptied the log, which had an entry, and waits for the runs that it has ended.
    case reset
    /// Time passes, once so many sleep.
    case pass(Duration, sleepers: Int = 1)
    /// The log has got an entry.
    case logged(String)
    /// All that the log contains so far.
    case log([String])
    /// So many runs have started so far.
    case started(Int)
    /// No run has ended so far.
    case nothingEnded

    /// The name of a job that needs a gate.
    fileprivate var gated: String? {
        switch self {
        case .begin(let name, _), .arrive(let name), .release(let name): name
        default: nil
        }
    }
}

/// Plays the story of some jobs in a store of their own, then opens all gates, and expects how it ends.
///
/// - Parameters:
///   - events: These follow each other. One that doesn't happen lets the test hang.
///   - inner: The policy of the job "inner", if the job "outer" performs one.
///   - endings: The answers to performers, by the names of their jobs. All others return.
///   - log: The whole log at the end.
///   - body: Jobs do this at the end. By default, the job "bad" fails.
/// - Returns: The log at the end.
@discardableResult
func play(
    _ events: [JobEvent], inner: Relux.Policy? = nil, endings: [String: Ending] = [:], log: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Job, Relux.SagaContext) async throws -> Void = { job, _ in
        if job.name == "bad" { throw TestFailure() }
    }
) async throws -> [String] {
    let jobs = try await JobStore(gated: Array(Set(events.compactMap(\.gated)))) { job, context in
        if job.name == "outer", let inner { try await context.perform(Job("inner", inner)) }
        try await body(job, context)
    }
    var performers: [String: Task<Ending, Never>] = [:]
    var resets: [Task<Void, Never>] = []
    for event in events {
        switch event {
        case .begin(let name, let policy):
            performers[name] = await jobs.performing(name, policy)
            await jobs.arrival(of: name)
        case .perform(let name, let policy): performers[name] = await jobs.performing(name, policy)
        case .dispatch(let name, let policy): await jobs.dispatch(name, policy)
        case .arrive(let name): await jobs.arrival(of: name)
        case .end(let name): _ = try await #require(performers[name], sourceLocation: sourceLocation).value
        case .cancel(let name): try #require(performers[name], sourceLocation: sourceLocation).cancel()
        case .release(let name): jobs.release(name)
        case .reset:
            resets.append(Task { await jobs.store.reset() })
            _ = await jobs.store.values(of: Log.self).first { $0.entries.isEmpty }
        case .pass(let duration, let sleepers): await jobs.clock.advance(by: duration, pastSleepers: sleepers)
        case .logged(let entry): try await jobs.store.logged(entry)
        case .log(let log): #expect(try await jobs.store.log() == log, sourceLocation: sourceLocation)
        case .started(let count):
            let starts = jobs.observer.trace.entries.filter { $0.hasPrefix("start") }
            #expect(starts.count == count, sourceLocation: sourceLocation)
        case .nothingEnded: #expect(jobs.ends == [], sourceLocation: sourceLocation)
        }
    }
    let finalLog = try await jobs.finalLog()
    for reset in resets { await reset.value }

    var found: [String: Ending] = [:]
    for (name, performer) in performers { found[name] = await performer.value }
    let expected = found.mapValues { _ in Ending.returned }.merging(endings) { $1 }
    #expect(found == expected, sourceLocation: sourceLocation)
    if let log { #expect(finalLog == log, sourceLocation: sourceLocation) }
    return finalLog
}

extension Relux.Store {
    /// Performs an effect in a new task. Returns when its runs have been admitted.
    func performing<Effect: Relux.Effect>(
        _ effect: Effect, check: @escaping @Sendable (Effect.Output) -> Void = { _ in }
    ) async -> Task<Ending, Never> {
        let triggers = actionStream(of: Effect.self)
        let task = Task { await Ending.of { check(try await perform(effect)) } }
        _ = await triggers.first { _ in true }
        // The stream has the action before the end of its step, in which the runs are admitted.
        await read { _ in }
        return task
    }
}
