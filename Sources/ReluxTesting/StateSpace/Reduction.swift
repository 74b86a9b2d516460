import Relux

/// Reduces one state by actions of any type, as a store would.
///
/// The state's own reducer runs first, if the action is of its type. The additional reducers for that type and this
/// state follow, in order. All others are skipped.
struct Reduction<S: Relux.State> {
    private let additional: [Relux.Reducer]

    init(_ reducers: [Relux.Reducer]) {
        additional = reducers
    }

    func reduce(_ state: inout S, _ action: any Relux.Action) {
        apply(action, to: &state)
    }

    /// The generic parameter opens the existential: reducers are found by the exact concrete type of the action.
    private func apply<A: Relux.Action>(_ action: A, to state: inout S) {
        if let action = action as? S.Action { state.reduce(action) }
        for reducer in additional {
            guard let body = reducer.body as? any ReducerBody<S, A> else { continue }
            body.reduce(&state, action)
        }
    }
}
