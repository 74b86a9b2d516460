extension Relux.SagaContext {
    private var core: Core { runHandle.core }

    /// The time on the store's clock since the store was created.
    public var now: Duration { core.clock.now() }

    /// Sleeps on the store's clock.
    ///
    /// - Parameter duration: Any length. Zero or less returns immediately.
    /// - Throws: `CancellationError` when the run is cancelled.
    public nonisolated(nonsending) func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        try await core.clock.sleep(until: core.clock.deadline(after: duration))
    }

    /// Repeats something until it succeeds or the schedule says to stop, and pauses in between on the store's clock.
    ///
    /// The body is repeated after its own errors and after ``EffectError/failed(_:)``. Any other ``EffectError`` ends
    /// the retries immediately: repeating a superseded effect would supersede the newer one, and repeating a cancelled
    /// effect would undo the cancellation.
    ///
    /// - Cancellation: If the run is cancelled between two attempts, this throws a `CancellationError`. A
    ///   `CancellationError` of the body ends the retries as well.
    /// - Parameters:
    ///   - schedule: How many attempts to make, how long to pause, and which errors are worth another attempt.
    ///   - onSetback: Called in the calling task before each pause, and so not after the last failure. The pause starts
    ///     when it returns.
    ///   - body: Executed in the calling task.
    /// - Throws: The error of the last attempt.
    public nonisolated(nonsending) func retry<Value>(
        _ schedule: Relux.RetrySchedule,
        onSetback: nonisolated(nonsending) (Relux.Setback) async -> Void = { _ in },
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        var failed = 0
        while true {
            do {
                return try await body()
            } catch {
                failed += 1
                guard schedule.isWorthRetrying(error, failed: failed) else { throw error }
                // A run that was cancelled meanwhile neither pauses nor tries again.
                try Task.checkCancellation()
                let draw = runHandle.draw(seed: core.randomSeed)
                let pause = schedule.delay(afterFailed: failed, drawing: draw)
                await onSetback(Relux.Setback(error: error, attempt: failed, pause: pause))
                try await sleep(for: pause)
            }
        }
    }

    /// Limits the time that something may take.
    ///
    /// The body is executed as a child run with its own context. At the deadline, unless it has finished, the child is
    /// cancelled and can no longer write, and this throws. If the body ignores its cancellation, its task continues in
    /// the background until the body returns.
    ///
    /// - Ordering: What the body dispatched before the deadline stays reduced.
    /// - Cancellation: Cancelling the run cancels the child, as does the end of the run. This then throws the error of
    ///   the body, and no later than at the deadline.
    /// - Parameters:
    ///   - limit: Any length, on the store's clock.
    ///   - body: Receives the context of the child run.
    /// - Throws: ``TimeoutError`` at the deadline, otherwise what the body throws.
    public nonisolated(nonsending) func timeout<Value: Sendable>(
        after limit: Duration, _ body: @escaping @Sendable (Relux.SagaContext) async throws -> Value
    ) async throws -> Value {
        let value = try await timed(after: limit) { run in try await body(run.context) }
        // The flow of a timeout returns what its body returned.
        guard let value = value as? Value else { throw CancellationError() }
        return value
    }

    private nonisolated(nonsending) func timed(
        after limit: Duration, _ body: @escaping @Sendable (Run) async throws -> any Sendable
    ) async throws -> any Sendable {
        let deadline = core.clock.deadline(after: limit)
        let thrown = ThrownError()
        let work: @Sendable (Run) async throws -> any Sendable = { run in
            do {
                return try await body(run)
            } catch {
                thrown.error = error
                throw error
            }
        }
        let group = await core.enter(as: handle.caller) { core, caller in core.startTimed(as: caller, work) }
        let timer = Task(executorPreference: core.taskExecutor) { [core] in
            guard (try? await core.clock.sleep(until: deadline)) != nil else { return }
            await core.enter(as: .outside) { core, _ in
                // What has finished doesn't expire.
                guard group.members.sorted.first?.phase.hasFinished != true else { return }
                core.carryOut(core.runs.abandon(group) { $0.isExpired = true })
            }
        }
        defer { timer.cancel() }
        let summary = await withTaskCancellationHandler {
            await group.wait()
        } onCancel: {
            group.abandon(in: core)
        }
        if summary.isExpired { throw Relux.TimeoutError(limit: limit) }
        if case (.finished, let output?)? = summary.answered { return output }
        // The wrapper of the configuration may have thrown, too.
        throw thrown.error ?? summary.answered?.outcome.error ?? CancellationError()
    }
}

/// The error that the body of a timeout threw. It is kept here because the result of a run doesn't distinguish the
/// kinds of cancellation.
private final class ThrownError: Sendable {
    private let contents = Lock<(any Error)?>(nil)

    var error: (any Error)? {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }
}
