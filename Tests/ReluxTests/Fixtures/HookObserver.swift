import Relux

/// An observer made of closures.
struct HookObserver: Relux.StoreObserver {
    var onAction: @Sendable (Relux.ActionRecord) -> Void = { _ in }
    var onStart: @Sendable (Relux.RunRecord) -> Void = { _ in }
    var onRefusal: @Sendable (Relux.Refusal) -> Void = { _ in }

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) { onAction(record) }
    func runStarted(_ run: Relux.RunRecord) { onStart(run) }
    func refused(_ refusal: Relux.Refusal) { onRefusal(refusal) }
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
