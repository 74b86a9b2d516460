extension Relux {
    /// A pure reducer of a state for actions that are not its own.
    ///
    /// It lets a state respond to an effect (`startLoading` when a load is requested) or to the actions of another
    /// feature (clearing everything at sign-out). The module that lists it must own the state or depend on the module
    /// that does. Otherwise, registering it fails.
    ///
    /// For each action, a state's own reducer runs first, followed by the additional reducers in registration order.
    public struct Reducer: Sendable {
        package let body: any ReducerBody
        let scope: HandlerScope

        var state: any State.Type { body.state }
        var action: any Action.Type { body.action }

        /// Creates a reducer of a state for one type of action.
        ///
        /// - Parameters:
        ///   - action: The type of action to reduce, matched by its exact concrete type.
        ///   - scope: Whether a reducer of an instance listens to the scopes around it.
        ///   - reduce: Changes the state. It must be pure, under the same rules as ``State/reduce(_:)``.
        public init<S: State, A: Action>(
            of state: S.Type,
            on action: A.Type,
            in scope: HandlerScope = .lexical,
            _ reduce: @escaping @Sendable (inout S, A) -> Void
        ) {
            body = TypedReducer(reduce: reduce)
            self.scope = scope
        }
    }
}

/// A reducer whose types can be recovered by opening the existential.
package protocol ReducerBody<S, A>: Sendable {
    associatedtype S: Relux.State
    associatedtype A: Relux.Action

    var reduce: @Sendable (inout S, A) -> Void { get }
}

private struct TypedReducer<S: Relux.State, A: Relux.Action>: ReducerBody {
    let reduce: @Sendable (inout S, A) -> Void
}

extension ReducerBody {
    fileprivate var state: any Relux.State.Type { S.self }
    fileprivate var action: any Relux.Action.Type { A.self }
}
