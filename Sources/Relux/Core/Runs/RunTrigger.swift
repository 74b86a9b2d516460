/// What a run exists for.
final class RunTrigger {
    let handle: RunHandle
    /// The saga or flow; nil for watchers and for the bodies of timeouts, which have no `actionOnCancel`.
    let runner: SagaRunner?
    let group: GroupID
    /// Whether a rule has added the action to a performed one. The performer waits for the run, but the run neither
    /// answers the effect nor is cancelled with it.
    let isAside: Bool
    /// The run that performs it.
    var parent: RunID?

    init(handle: RunHandle, runner: SagaRunner?, group: GroupID, isAside: Bool = false, parent: RunID? = nil) {
        (self.handle, self.runner, self.group) = (handle, runner, group)
        (self.isAside, self.parent) = (isAside, parent)
    }

    var id: RunID { handle.id }
}
