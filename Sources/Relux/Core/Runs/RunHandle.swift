import Synchronization

/// One run, shared by its task and its contexts.
///
/// It holds no saga: a saga that is an actor and stores its context would keep itself alive.
final class RunHandle: Sendable {
    // @unchecked Sendable: `cancel` may be called from any thread as long as the task exists, and `detach` ensures that
    // the task exists for as long as this is stored.
    private struct TaskReference: @unchecked Sendable {
        let task: UnsafeCurrentTask
    }

    /// What is known about the task of the run.
    private enum TaskState: Sendable {
        case notStarted
        case running(TaskReference)
        /// Cancelled before the task started, or while it was running.
        case cancelled
        /// The task is being cancelled. The signal fires when that is done.
        case cancelling(Signal)
        case ended
    }

    let core: Core
    let record: Relux.RunRecord
    /// The streams of a watcher that reach back to its registration.
    let inbox: WatcherInbox?
    /// Nesting depth of an inline run: how many runs have been started on this thread inside each other, including this
    /// one; 0 if the run starts on the pool.
    let depth: Int
    /// Whether the run's task prefers an executor. Its child tasks then do as well, but not the tasks it leaves behind.
    let marksChildTasks: Bool
    private let draws = Atomic<UInt64>(0)
    private let task = Lock(TaskState.notStarted)

    init(
        _ record: Relux.RunRecord, inbox: WatcherInbox? = nil, depth: Int = 0, marksChildTasks: Bool = false,
        _ core: Core
    ) {
        self.core = core
        self.record = record
        self.inbox = inbox
        self.depth = depth
        self.marksChildTasks = marksChildTasks
    }

    // MARK: The task

    /// Registers the current task as the run's. The first thing that the task does.
    func attach() {
        let reference = withUnsafeCurrentTask { $0.map { TaskReference(task: $0) } }
        let isCancelled = task.withLock { state in
            if case .cancelled = state { return true }
            if let reference { state = .running(reference) }
            return false
        }
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
    }

    /// Cancels the run's task, or marks it so that it is cancelled as soon as it starts.
    ///
    /// Called outside the store and outside the lock, because the task's cancellation handlers run here.
    func cancel() {
        let isCancelled = Signal()
        let running: TaskReference? = task.withLock { state in
            switch state {
            case .notStarted:
                state = .cancelled
                return nil
            case .running(let reference):
                // `detach` waits for the signal, so the task exists until it fires.
                state = .cancelling(isCancelled)
                return reference
            case .cancelled, .cancelling, .ended:
                return nil
            }
        }
        guard let running else { return }
        running.task.cancel()
        task.withLock { state in
            if case .cancelling = state { state = .cancelled }
        }
        isCancelled.fire()
    }

    /// Unregisters the task before it ends, and waits if it is being cancelled at this moment.
    nonisolated(nonsending) func detach() async {
        let cancelling: Signal? = task.withLock { state in
            if case .cancelling(let signal) = state { return signal }
            state = .ended
            return nil
        }
        if let cancelling { await detach(after: cancelling) }
    }

    // inline(never): what this needs briefly would otherwise take memory for as long as the run lasts.
    @inline(never)
    private nonisolated(nonsending) func detach(after cancelling: Signal) async {
        await cancelling.wait()
        task.withLock { $0 = .ended }
    }

    /// Executes the body of a run: waits for its start, works, and reports its end.
    nonisolated(nonsending) func execute(
        _ start: RunStart, _ work: nonisolated(nonsending) () async throws -> any Sendable
    ) async {
        attach()
        if case .immediately = start {} else { guard await waitForStart(start) else { return await detach() } }
        let result: RunResult
        do {
            result = .finished(try await CurrentRun.$handle.withValue(self) { try await work() })
        } catch {
            result = RunResult(thrown: error)
        }
        await end(result)
    }

    /// Waits for the start of a run that doesn't start immediately.
    ///
    /// - Returns: Whether it may start.
    // inline(never), here and below: see `detach(after:)`.
    @inline(never)
    private nonisolated(nonsending) func waitForStart(_ start: RunStart) async -> Bool {
        switch start {
        case .immediately:
            return true
        case .inTurn(let turn):
            return await turn.waitUnlessCancelled()
        case .at(let deadline):
            // A cancellation cuts the sleep short. The run is then no longer pending.
            try? await core.clock.sleep(until: deadline)
            return await core.enter(as: .outside) { core, _ in core.runs.deadlineReached(record.id) }
        }
    }

    /// Reports the run's end to the store.
    @inline(__always)
    nonisolated(nonsending) func end(_ result: RunResult) async {
        await core.enter(as: .outside) { core, _ in core.runs.end(record.id, result) }
        await detach()
    }

    /// Whether the current task is the run's own or a child of it, as far as can be told.
    ///
    /// A run that marks its child tasks knows: child tasks inherit the preference for an executor, and the tasks that
    /// `Task {}` creates don't. For any other run, each task that inherited its task-local values counts.
    var awaitsCurrentTask: Bool {
        !marksChildTasks || withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
    }

    // MARK: Random numbers

    /// The next random number of the run, at least 0 and below 1.
    func draw(seed: UInt64) -> Double {
        let index = record.id &* 0x1_0000 &+ draws.add(1, ordering: .relaxed).newValue
        return Double(SplitMix64.number(at: seed &+ index &* SplitMix64.increment) >> 11) * 0x1p-53
    }
}
