import Relux

/// All reducers of one state, for actions of any type: its own first, then the additional ones in their order.
struct Reduction<S: Relux.State> {
    /// The closures of the additional reducers of this state, as the core holds them. It keeps them to itself, so they
    /// are looked up by their place in the mirror; each is of type `(inout S, A) -> Void` for some action `A`.
    private let additional: [Any]

    init(_ reducers: [Relux.Reducer]) {
        additional = reducers.compactMap { Mirror(reflecting: $0).descendant("body", "reduce") }
    }

    func reduce(_ state: inout S, _ action: any Relux.Action) {
        apply(action, to: &state)
    }

    /// Opens the action, since routing is by its exact concrete type.
    private func apply<A: Relux.Action>(_ action: A, to state: inout S) {
        if let action = action as? S.Action { state.reduce(action) }
        for reducer in additional {
            guard let reduce = reducer as? @Sendable (inout S, A) -> Void else { continue }
            reduce(&state, action)
        }
    }
}
