/// A reducer bound to the cell of its state.
class AnyReducerBinding {
    let cell: AnyStateCell
    /// Reducers run in ascending order: the generation of the module that lists them.
    final var order: UInt64 = 0
    /// Whether this is the state's own reducer.
    var isOwn: Bool { false }
    /// Whether the state consists of plain bits, so that replacing a value of it executes no deinitialiser.
    let isPlain: Bool

    init(cell: AnyStateCell, isPlain: Bool) {
        self.cell = cell
        self.isPlain = isPlain
    }

    /// Reduces an action. The caller must have found the binding on the route of its type.
    ///
    /// - Returns: Whether a reader waits for the state.
    @inline(__always)
    final func reduceUnchecked<A: Relux.Action>(_ action: A) -> Bool {
        // unsafeDowncast: a route takes only bindings of its own type.
        unsafeDowncast(self, to: ReducerBinding<A>.self).reduce(action)
    }
}

/// A reducer for one type of action, bound to the cell of its state.
class ReducerBinding<A: Relux.Action>: AnyReducerBinding {
    /// Reduces.
    ///
    /// - Returns: Whether a reader waits for the state.
    func reduce(_ action: A) -> Bool { false }
}

/// The state's own reducer.
final class OwnReducerBinding<S: Relux.State>: ReducerBinding<S.Action> {
    private let target: StateCell<S>

    init(_ target: StateCell<S>) {
        self.target = target
        super.init(cell: target, isPlain: _isPOD(S.self))
    }

    override var isOwn: Bool { true }

    override func reduce(_ action: S.Action) -> Bool {
        target.value.reduce(action)
        target.version &+= 1
        return !target.waiters.isEmpty
    }
}

/// An additional reducer.
final class AddedReducerBinding<S: Relux.State, A: Relux.Action>: ReducerBinding<A> {
    private let target: StateCell<S>
    private let body: @Sendable (inout S, A) -> Void

    init(_ target: StateCell<S>, _ body: @escaping @Sendable (inout S, A) -> Void) {
        self.target = target
        self.body = body
        super.init(cell: target, isPlain: _isPOD(S.self))
    }

    override func reduce(_ action: A) -> Bool {
        body(&target.value, action)
        target.version &+= 1
        return !target.waiters.isEmpty
    }
}
