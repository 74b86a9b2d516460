extension Relux.SagaContext {
    /// The time on the store's clock, since the store was made.
    public var now: Duration { engine.clock.now() }

    /// Sleeps on the store's clock.
    ///
    /// - Parameter duration: How long. Zero or less returns at once.
    /// - Throws: `CancellationError` when the run is cancelled.
    public nonisolated(nonsending) func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        try await engine.clock.sleep(engine.clock.now() + duration)
    }

    /// Tries something until it succeeds, as often as a schedule says, and sleeps in between on the store's clock.
    ///
    /// - Cancellation: Between two tries it ends with a `CancellationError` when the run is cancelled. A
    ///   `CancellationError` from the body is never worth another try.
    /// - Parameters:
    ///   - schedule: How often, how long in between, and which errors are worth another try.
    ///   - body: What to try. It runs in the calling task.
    /// - Returns: What the body returns.
    /// - Throws: The error of the last try.
    public nonisolated(nonsending) func retry<Value>(
        _ schedule: Relux.RetrySchedule, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        var failed = 0
        while true {
            do {
                return try await body()
            } catch {
                failed += 1
                guard schedule.isWorthRetrying(error, failed: failed) else { throw error }
                try await sleep(
                    for: schedule.delay(afterFailed: failed, drawing: handle.draw(seed: engine.randomSeed)))
            }
        }
    }

    /// Gives something a limited time.
    ///
    /// The body runs as a child run with a context of its own. At the deadline the child is cancelled and can write no
    /// more, and this throws, also when the body is deaf to its cancellation; its task then ends when it ends.
    ///
    /// - Ordering: What the body dispatched before the deadline stays reduced.
    /// - Cancellation: Cancelling the run cancels the child; this then throws what the body threw, at the deadline at
    ///   the latest.
    /// - Parameters:
    ///   - limit: How long, on the store's clock.
    ///   - body: What to do, with the context of the child run.
    /// - Returns: What the body returns.
    /// - Throws: ``Relux/TimeoutError`` at the deadline, else what the body throws.
    public nonisolated(nonsending) func timeout<Value: Sendable>(
        after limit: Duration, _ body: @escaping @Sendable (Relux.SagaContext) async throws -> Value
    ) async throws -> Value {
        let engine = engine
        let deadline = engine.clock.now() + limit
        let completion = Completion(group: engine.nextGroup(), engine)
        let speaker = entrance.speaker
        let timer = Task(executorPreference: engine.executor) {
            guard (try? await engine.clock.sleep(deadline)) != nil else { return }
            await engine.enter { core in core.expire(completion, of: speaker) }
        }
        defer { timer.cancel() }
        let thrown = ThrownError()
        await withTaskCancellationHandler {
            await engine.enter { core in
                core.startTimed(completion, by: speaker) { run, start in
                    core.launch {
                        await run.execute(start) {
                            do {
                                return try await body(run.context)
                            } catch {
                                thrown.error = error
                                throw error
                            }
                        }
                    }
                }
            }
            await completion.wait()
        } onCancel: {
            completion.abandon()
        }
        if completion.isExpired { throw Relux.TimeoutError(limit: limit) }
        if let refusal = completion.refusal, case .serialCycle = refusal { throw refusal }
        if case .finished(let value as Value)? = completion.flow { return value }
        throw thrown.error ?? CancellationError()
    }
}

extension Relux {
    /// The time that ``SagaContext/timeout(after:_:)`` gave was over.
    public struct TimeoutError: Error, Hashable, CustomStringConvertible {
        /// How much time there had been.
        public let limit: Duration

        /// Makes an error, for a scripted service in a test.
        ///
        /// - Parameter limit: How much time there had been.
        public init(limit: Duration) {
            self.limit = limit
        }

        /// How much time there had been.
        public var description: String { "It wasn't done within \(limit)." }
    }
}

/// What the body of a timeout threw, as it threw it: its outcome doesn't tell one kind of cancellation from another.
private final class ThrownError: Sendable {
    private let contents = Lock<(any Error)?>(nil)

    var error: (any Error)? {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }
}

extension Core {
    /// Starts the body of a timeout as a child run of the one that asks.
    fileprivate func startTimed(
        _ completion: Completion, by speaker: Speaker, _ launch: (RunHandle, Start) -> Void
    ) {
        guard phase == .open, !completion.isAbandoned, !completion.hasEnded, table.isLive(speaker.run),
            let parent = entries[speaker.run]?.record
        else {
            completion.note(refusal: .cancelled)
            return completion.end()
        }
        completion.answer = .flow
        completions.set(completion.group, to: completion)
        table.openGroup(completion.group)
        let record = Relux.RunRecord(
            id: nextRun(), kind: .timeout, saga: parent.saga, trigger: nil, callSite: parent.callSite
        )
        admit(
            RunHandle(record, engine), of: 0, policy: .concurrent, completion, parent: speaker.run, launch
        )
        startWaiting(speaker.run, for: completion, at: parent.callSite)
        carryOut(table.sealGroup(completion.group))
        settle()
    }

    /// The time of a timeout is over: its run may write no more, and its caller waits no longer.
    fileprivate func expire(_ completion: Completion, of speaker: Speaker) {
        guard !completion.hasEnded else { return }
        completion.noteExpiry()
        completions.remove(completion.group)
        table.stopWaiting(speaker.run, for: completion.group)
        carryOut(table.cancel(table.members(of: completion.group)))
        completion.end()
        settle()
    }
}
