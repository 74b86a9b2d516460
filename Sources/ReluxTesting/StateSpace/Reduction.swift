import Relux

/// All reducers of one state, for actions of any type: the state's own first, then the additional ones in order.
struct Reduction<S: Relux.State> {
    private let additional: [Relux.Reducer]

    init(_ reducers: [Relux.Reducer]) {
        additional = reducers
    }

    func reduce(_ state: inout S, _ action: any Relux.Action) {
        apply(action, to: &state)
    }

    /// Opens the existential, because actions are routed by their exact concrete type.
    private func apply<A: Relux.Action>(_ action: A, to state: inout S) {
        if let action = action as? S.Action { state.reduce(action) }
        for reducer in additional {
            guard let body = reducer.body as? any ReducerBody<S, A> else { continue }
            body.reduce(&state, action)
        }
    }
}
