import Synchronization

/// The awaitable end of a group: of the runs that an action, a batch, or a reset concerns.
///
/// - Isolation: Fulfilled inside the store, awaited anywhere.
/// - Lifetime: The table of runs holds it until the group is complete. It keeps the ``Core``, but not the store.
final class Completion: Sendable {
    let group: GroupID
    private let core: Core
    /// Created by the first task that waits. Most groups end before anything waits for them.
    private let end = AtomicLazyReference<Signal>()
    private let hasEnded = Atomic(false)
    /// How the runs have ended. Only valid after a wait has returned it.
    // nonisolated(unsafe): written once, before `hasEnded` is set, and read only after that.
    private(set) nonisolated(unsafe) var result = GroupSummary()

    init(group: GroupID, _ core: Core) {
        self.group = group
        self.core = core
    }

    /// Ends the wait. Only the first call has an effect. Called inside the store.
    func fulfil(_ summary: GroupSummary) {
        guard !hasEnded.load(ordering: .relaxed) else { return }
        result = summary
        hasEnded.store(true, ordering: .releasing)
        // Either this sees the signal of a waiter, or the waiter, which has a fence as well, sees that this has ended.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        end.load()?.fire()
    }

    /// How the runs have ended; nil if some have not.
    var summary: GroupSummary? { hasEnded.load(ordering: .acquiring) ? result : nil }

    /// The signal of the end; nil if it has come.
    private func signal() -> Signal? {
        let signal = end.load() ?? end.storeIfNil(Signal())
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return hasEnded.load(ordering: .acquiring) ? nil : signal
    }

    /// Cancels what a task has performed that was cancelled itself.
    func abandon() {
        core.post { [group] core in core.runs.cancel(group: group) }
    }

    /// Waits for the end and ignores cancellation.
    @inline(__always)
    nonisolated(nonsending) func wait() async {
        if !hasEnded.load(ordering: .acquiring) { await waitForSignal() }
    }

    @inline(never)
    private nonisolated(nonsending) func waitForSignal() async { await signal()?.wait() }

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
        guard waiter == 0, let signal = signal() else { return await waitUnlessCancelled(as: waiter) }
        return await signal.waitUnlessCancelled() ? .ended(result) : .cancelled
    }

    private nonisolated(nonsending) func startWaiting(as run: RunID) async -> Relux.EffectError? {
        await core.enter(as: .outside) { core, _ in core.wait(run, for: self) }
    }

    /// Waits for the end or for the cancellation of the task.
    ///
    /// - Parameter run: The run whose wait the store knows about; 0 if the task belongs to none.
    nonisolated(nonsending) func waitUnlessCancelled(as run: RunID) async -> Waited {
        guard let signal = signal() else { return .ended(result) }
        guard run != 0 else { return await signal.waitUnlessCancelled() ? .ended(result) : .cancelled }
        let hasEnded = await withTaskCancellationHandler {
            await signal.waitUnlessCancelled()
        } onCancel: {
            // Posted here rather than by the resumed task, so that no cycle is found in between.
            core.post { [group] core in core.runs.stopWaiting(run, for: group) }
        }
        return hasEnded ? .ended(result) : .cancelled
    }
}
