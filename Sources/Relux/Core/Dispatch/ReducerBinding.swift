/// A reducer bound to the cell of its state.
class AnyReducerBinding {
    final let cell: AnyStateCell
    /// The module that lists the reducer.
    unowned final let owner: Owner
    /// Whether this is the state's own reducer.
    final let isOwn: Bool

    fileprivate init(_ cell: AnyStateCell, of owner: Owner, isOwn: Bool) {
        (self.cell, self.owner, self.isOwn) = (cell, owner, isOwn)
    }

    /// Reduces an action. The caller must have found the binding on the route of its type.
    final func reduce<A: Relux.Action>(_ action: A) {
        // unsafeDowncast: a route takes only bindings of its own type.
        unsafeDowncast(self, to: ReducerBinding<A>.self).apply(action)
    }
}

/// A reducer for one type of action.
class ReducerBinding<A: Relux.Action>: AnyReducerBinding {
    fileprivate func apply(_ action: A) {}
}

/// The state's own reducer.
final class OwnReducer<S: Relux.State>: ReducerBinding<S.Action> {
    private let state: StateCell<S>

    init(of cell: StateCell<S>) {
        state = cell
        super.init(cell, of: cell.owner, isOwn: true)
    }

    override func apply(_ action: S.Action) { state.value.reduce(action) }
}

/// An additional reducer.
final class AdditionalReducer<S: Relux.State, A: Relux.Action>: ReducerBinding<A> {
    private let state: StateCell<S>
    private let body: @Sendable (inout S, A) -> Void

    init(of cell: StateCell<S>, in owner: Owner, _ body: @escaping @Sendable (inout S, A) -> Void) {
        (state, self.body) = (cell, body)
        super.init(cell, of: owner, isOwn: false)
    }

    override func apply(_ action: A) { body(&state.value, action) }
}
