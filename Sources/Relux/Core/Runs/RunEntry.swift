/// What the store needs to execute a run. Its phase is in the ``RunTable``.
struct RunEntry: Sendable {
    let handle: RunHandle
    /// The saga or flow; nil for watchers and for the bodies of timeouts, which have no `actionOnCancel`.
    let runner: AnySagaRunner?
    /// Fired when the turn of a queued run has come.
    let turn: Signal?

    var record: Relux.RunRecord { handle.record }
}

/// When the body of a run starts.
enum RunStart: Sendable {
    case immediately
    case inTurn(Signal)
    case at(Duration)
}
