extension Relux {
    /// A pure reducer of a state for actions that belong to somebody else.
    ///
    /// It is how a state takes part in an effect (`startLoading` when the load is asked for), or in another feature's
    /// actions (everything is emptied at sign-out). The module that lists it must own the state, or depend on the
    /// module that does; registering it otherwise fails.
    ///
    /// For one action, a state's own reducer runs first, then the additional ones in the order of registration.
    public struct Reducer: Sendable {
        package let body: any ReducerBody

        /// Makes a reducer of a state for one type of action.
        ///
        /// - Parameters:
        ///   - state: The state that changes.
        ///   - action: The type of action that it takes. Routing is by the exact concrete type.
        ///   - reduce: Changes the state. Pure, under the same rules as ``State/reduce(_:)``.
        public init<S: State, A: Action>(
            of state: S.Type,
            on action: A.Type,
            _ reduce: @escaping @Sendable (inout S, A) -> Void
        ) {
            body = TypedReducer(reduce: reduce)
        }
    }
}

/// A reducer with its types known again once it is opened.
package protocol ReducerBody<S, A>: Sendable {
    associatedtype S: Relux.State
    associatedtype A: Relux.Action

    var reduce: @Sendable (inout S, A) -> Void { get }
}

private struct TypedReducer<S: Relux.State, A: Relux.Action>: ReducerBody {
    let reduce: @Sendable (inout S, A) -> Void
}
