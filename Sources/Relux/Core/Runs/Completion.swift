/// The awaitable end of a group: of the runs that an action, a batch, or a reset concerns, or of saves.
///
/// - Isolation: Fulfilled inside the store, awaited anywhere.
/// - Lifetime: It keeps the ``Core``, but not the store.
final class Completion: Sendable {
    /// The group in the table of runs; 0 if the table doesn't know it.
    let group: GroupID
    private let core: Core
    private let end = Signal()
    private let result = Lock<GroupSummary?>(nil)

    init(_ core: Core, group: GroupID = 0) {
        (self.core, self.group) = (core, group)
    }

    /// How the runs have ended; nil if some have not.
    var summary: GroupSummary? { result.withLock { $0 } }

    /// Ends the wait. Only the first call has an effect.
    func fulfil(_ summary: GroupSummary) {
        result.withLock { result in if result == nil { result = summary } }
        end.fire()
    }

    /// Cancels what a task has performed that was cancelled itself.
    func abandon() {
        core.post { [group] core in core.carryOut(core.runs.cancel(group: group)) }
    }

    /// Waits for the end and ignores cancellation.
    nonisolated(nonsending) func wait() async -> GroupSummary {
        await end.wait()
        return known
    }

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
        let waiter = Origin(in: nil, of: core).waiter
        if summary == nil, waiter != 0 {
            let refusal = await core.enter(as: .outside) { core, _ in core.wait(waiter, for: self) }
            if let refusal { return .never(refusal) }
        }
        return await waitUnlessCancelled(as: waiter)
    }

    /// Waits for the end or for the cancellation of the task.
    ///
    /// - Parameter run: The run whose wait the store knows about; 0 if the task belongs to none.
    nonisolated(nonsending) func waitUnlessCancelled(as run: RunID) async -> Waited {
        let hasEnded = await withTaskCancellationHandler {
            await end.waitUnlessCancelled()
        } onCancel: {
            // Posted here rather than by the resumed task, so that no cycle is found in between.
            if run != 0 { core.post { [group] core in core.runs.stopWaiting(run, for: group) } }
        }
        return hasEnded ? .ended(known) : .cancelled
    }

    private var known: GroupSummary { summary ?? GroupSummary() }
}
