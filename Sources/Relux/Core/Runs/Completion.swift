/// The awaitable end of a group: of the runs that an action, a batch, or a reset concerns.
///
/// - Isolation: Fulfilled inside the store, awaited anywhere.
/// - Lifetime: The table of runs holds it until the group is complete. It keeps the ``Core``, but not the store.
final class Completion: Sendable {
    let group: GroupID
    private let core: Core
    private let end = Latch<GroupSummary>()

    init(group: GroupID, _ core: Core) {
        self.group = group
        self.core = core
    }

    /// Ends the wait. Only the first call has an effect.
    func fulfil(_ summary: GroupSummary) { end.fire(summary) }

    /// How the runs have ended; nil if some have not.
    var summary: GroupSummary? { end.value }

    /// Cancels what a task has performed that was cancelled itself.
    func abandon() {
        core.post { [group] core in core.runs.cancel(group: group) }
    }

    /// Waits for the end and ignores cancellation.
    @discardableResult
    nonisolated(nonsending) func wait() async -> GroupSummary { await end.wait() }

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
    nonisolated(nonsending) func waitUnlessCancelled() async -> Waited {
        if let summary { return .ended(summary) }
        let waiter = CurrentRun.waiter(in: core)
        if waiter != 0, let error = await startWaiting(as: waiter) { return .never(error) }
        return await waitUnlessCancelled(as: waiter)
    }

    private nonisolated(nonsending) func startWaiting(as run: RunID) async -> Relux.EffectError? {
        await core.enter(as: .outside) { core, _ in core.wait(run, for: self) }
    }

    /// Waits for the end or for the cancellation of the task.
    ///
    /// - Parameter run: The run whose wait the store knows about; 0 if the task belongs to none.
    nonisolated(nonsending) func waitUnlessCancelled(as run: RunID) async -> Waited {
        guard run != 0 else { return Waited(await end.waitUnlessCancelled()) }
        let summary = await withTaskCancellationHandler {
            await end.waitUnlessCancelled()
        } onCancel: {
            // Posted here rather than by the resumed task, so that no cycle is found in between.
            core.post { [group] core in core.runs.stopWaiting(run, for: group) }
        }
        return Waited(summary)
    }
}

extension Completion.Waited {
    fileprivate init(_ summary: GroupSummary?) {
        self = summary.map { .ended($0) } ?? .cancelled
    }
}
