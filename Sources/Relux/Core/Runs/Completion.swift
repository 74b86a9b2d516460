/// A group of runs, and its awaitable end: the runs that an action, a batch, or a reset concerns.
///
/// - Isolation: Fulfilled inside the store, awaited anywhere.
/// - Lifetime: Its runs hold it until they have ended. It keeps the ``Core``, but not the store.
final class Completion: Sendable {
    private let core: Core
    private let end = Latch()

    // MARK: In the table of runs

    /// What the table knows about a group.
    struct Entry {
        /// How the runs have ended so far.
        var result: GroupSummary
        var members = TinySet()
        /// Whether the table knows the group: from its opening to its completion.
        var isOpen = false
        /// Whether no further members can be added.
        var isSealed = false
        /// Whether a member superseded the run that performs it. The end of that run then leaves the group alone.
        var isOrphaned = false
        /// The runs whose tasks await the group, once for each wait.
        var waiters: [RunID] = []
    }

    // nonisolated(unsafe): only the table and the registry access this, inside the store. After the end, the awaiters
    // read the result, which nothing changes any more.
    // exclusivity(unchecked): no access spans another one. The checks would cost a tenth of a perform.
    @exclusivity(unchecked) nonisolated(unsafe) var entry: Entry

    init(_ core: Core, answer: GroupSummary.Answer = .nobody) {
        self.core = core
        entry = Entry(result: GroupSummary(answer: answer))
    }

    // MARK: The end

    /// Ends the wait with what is known about the runs. Only the first call has an effect. Called inside the store.
    func fulfil() { end.fire() }

    /// The same for a group that the table doesn't know.
    func fulfil(_ summary: GroupSummary) {
        guard !hasEnded else { return }
        entry.result = summary
        fulfil()
    }

    /// Whether all runs have ended.
    var hasEnded: Bool { end.hasFired }

    /// How the runs have ended so far. Outside the store, it must have ended.
    var result: GroupSummary { entry.result }

    /// How the runs have ended; nil if some have not.
    var summary: GroupSummary? { hasEnded ? result : nil }

    /// Cancels what a task has performed that was cancelled itself.
    func abandon() {
        core.post { core in core.runs.cancel(group: self) }
    }

    /// Waits for the end and ignores cancellation.
    @inline(__always)
    nonisolated(nonsending) func wait() async {
        if !hasEnded { await waitForEnd() }
    }

    @inline(never)
    private nonisolated(nonsending) func waitForEnd() async { await end.wait() }

    /// The result of a wait.
    enum Waited {
        case ended(GroupSummary)
        /// The waiting task was cancelled.
        case cancelled
        /// The waiting task belongs to a run that would have waited for its own end.
        case never(Relux.EffectError)
    }

    /// Waits for the end or for the cancellation of the task.
    ///
    /// If the task belongs to a run, the wait becomes an edge of the wait-for graph.
    // inline: each asynchronous function between a task and its wait costs a frame.
    @inline(__always)
    nonisolated(nonsending) func waitUnlessCancelled() async -> Waited {
        if let summary { return .ended(summary) }
        let waiter = CurrentRun.waiter(in: core)
        if waiter != 0, let error = await startWaiting(as: waiter) { return .never(error) }
        guard waiter == 0 else { return await waitUnlessCancelled(as: waiter) }
        return await end.waitUnlessCancelled() ? .ended(result) : .cancelled
    }

    private nonisolated(nonsending) func startWaiting(as run: RunID) async -> Relux.EffectError? {
        await core.enter(as: .outside) { core, _ in core.wait(run, for: self) }
    }

    /// Waits for the end or for the cancellation of the task.
    ///
    /// - Parameter run: The run whose wait the store knows about; 0 if the task belongs to none.
    nonisolated(nonsending) func waitUnlessCancelled(as run: RunID) async -> Waited {
        if let summary { return .ended(summary) }
        guard run != 0 else { return await end.waitUnlessCancelled() ? .ended(result) : .cancelled }
        let hasEnded = await withTaskCancellationHandler {
            await end.waitUnlessCancelled()
        } onCancel: {
            // Posted here rather than by the resumed task, so that no cycle is found in between.
            core.post { core in core.runs.stopWaiting(run, for: self) }
        }
        return hasEnded ? .ended(result) : .cancelled
    }
}
