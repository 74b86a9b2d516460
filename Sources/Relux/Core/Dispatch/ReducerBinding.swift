/// A reducer bound to the cell of its state.
class AnyReducerBinding {
    let cell: AnyStateCell
    /// Reducers run in ascending order: the generation of the module that lists them.
    final var order: UInt64 = 0
    /// Whether this is the state's own reducer.
    var isOwn: Bool { false }
    /// What it does, for tools that reduce again.
    var reduction: Relux.ModuleDescription.Reduction { preconditionFailure("Each binding is one of the two below.") }

    fileprivate init(cell: AnyStateCell) {
        self.cell = cell
    }

    /// Reduces an action. The caller must have found the binding on the route of its type.
    ///
    /// - Returns: What the changed state concerns.
    final func reduce<A: Relux.Action>(_ action: A) -> Concerns {
        // unsafeDowncast: a route takes only bindings of its own type.
        unsafeDowncast(self, to: ReducerBinding<A>.self).reduceTyped(action)
        cell.source.noteChange()
        return cell.concerns
    }
}

/// A reducer for one type of action, bound to the cell of its state.
class ReducerBinding<A: Relux.Action>: AnyReducerBinding {
    fileprivate func reduceTyped(_ action: A) {}
}

/// The state's own reducer.
final class OwnReducerBinding<S: Relux.State>: ReducerBinding<S.Action> {
    private let target: StateCell<S>

    init(_ target: StateCell<S>) {
        self.target = target
        super.init(cell: target)
    }

    override var isOwn: Bool { true }

    override var reduction: Relux.ModuleDescription.Reduction { Reductions.reduction(of: S.self) }

    override func reduceTyped(_ action: S.Action) { target.value.reduce(action) }
}

/// An additional reducer.
final class AddedReducerBinding<S: Relux.State, A: Relux.Action>: ReducerBinding<A> {
    private let target: StateCell<S>
    private let body: @Sendable (inout S, A) -> Void

    init(_ target: StateCell<S>, _ body: @escaping @Sendable (inout S, A) -> Void) {
        self.target = target
        self.body = body
        super.init(cell: target)
    }

    override var reduction: Relux.ModuleDescription.Reduction { Reductions.reduction(isOwn: false, body) }

    override func reduceTyped(_ action: A) { body(&target.value, action) }
}
