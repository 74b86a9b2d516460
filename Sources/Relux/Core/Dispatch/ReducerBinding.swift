/// A reducer bound to the cell of its state.
class AnyReducerBinding {
    let cell: AnyStateCell
    /// The module that lists the reducer.
    unowned let owner: ModuleRegistration
    /// Whether this is the state's own reducer.
    let isOwn: Bool

    fileprivate init(_ cell: AnyStateCell, of owner: ModuleRegistration, isOwn: Bool) {
        (self.cell, self.owner, self.isOwn) = (cell, owner, isOwn)
    }

    /// Reduces an action. The caller must have found the binding on the route of its type.
    ///
    /// - Returns: What the changed state concerns.
    final func reduce<A: Relux.Action>(_ action: A) -> Concerns {
        // unsafeDowncast: a route takes only bindings of its own type.
        unsafeDowncast(self, to: ReducerBinding<A>.self).body(action)
        cell.source.noteChange()
        return cell.concerns
    }
}

/// A reducer for one type of action, bound to the cell of its state.
final class ReducerBinding<A: Relux.Action>: AnyReducerBinding {
    fileprivate let body: (A) -> Void

    /// The state's own reducer.
    init<S: Relux.State>(ownOf cell: StateCell<S>) where S.Action == A {
        body = { cell.value.reduce($0) }
        super.init(cell, of: cell.owner, isOwn: true)
    }

    /// An additional reducer.
    init<S: Relux.State>(
        _ cell: StateCell<S>, of owner: ModuleRegistration, _ reduce: @escaping @Sendable (inout S, A) -> Void
    ) {
        body = { reduce(&cell.value, $0) }
        super.init(cell, of: owner, isOwn: false)
    }
}
