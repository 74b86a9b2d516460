import Relux

/// An observer made of closures.
struct HookObserver: Relux.StoreObserver {
    var onAction: @Sendable (Relux.ActionRecord) -> Void = { _ in }
    var onStart: @Sendable (Relux.RunRecord) -> Void = { _ in }
    var onEnd: @Sendable (Relux.RunRecord, Relux.RunOutcome, (any Error)?) -> Void = { _, _, _ in }
    var onUnreceived: @Sendable (Relux.RunRecord, any Error) -> Void = { _, _ in }
    var onRefusal: @Sendable (Relux.Refusal) -> Void = { _ in }
    /// States have been reset, or a module has been unregistered.
    var onRemoval: @Sendable () -> Void = {}

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) { onAction(record) }
    func runStarted(_ run: Relux.RunRecord) { onStart(run) }
    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        onEnd(run, outcome, lateError)
    }
    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) { onUnreceived(run, error) }
    func refused(_ refusal: Relux.Refusal) { onRefusal(refusal) }
    func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) { onRemoval() }
    func statesReset(_ states: [any Relux.State.Type], leaving _: borrowing Relux.StateReader) { onRemoval() }
}

/// An observer made of a closure that also sees the states as each action leaves them.
struct StateHookObserver: Relux.StoreObserver {
    let onAction: @Sendable (Relux.ActionRecord, borrowing Relux.StateReader) -> Void

    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
        onAction(record, states)
    }
}

/// A middleware made of a closure.
struct HookMiddleware: Relux.Middleware {
    let body: @Sendable (any Relux.Action, borrowing Relux.StateReader) -> Relux.Interception

    func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
        body(action, reader)
    }
}

/// Gives observers and middleware access to a store that is created after them. It doesn't keep the store alive.
final class StoreLink: Sendable {
    private struct Target {
        weak var store: Relux.Store?
    }

    private let target = Lock(Target())

    var store: Relux.Store? { target.withLock { $0.store } }

    func connect(to store: Relux.Store) {
        target.withLock { $0.store = store }
    }
}
