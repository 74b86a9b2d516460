extension Relux {
    /// A value that the store owns, with the pure reducer for its own actions.
    ///
    /// A state is identified by its type: a scope, which is an instance of a module or the root of the store, owns at
    /// most one value of each state type. The store changes the value in place, so a reducer that updates one element
    /// of a large array copies nothing.
    public protocol State: Sendable, Equatable {
        /// The actions that this state reduces itself, or `Never` if there are none.
        associatedtype Action: Relux.Action

        /// Changes the state in response to an action.
        ///
        /// A reducer must be pure: synchronous, nonisolated, and independent of clocks, random numbers and services.
        /// Reducing the same actions from the same state produces the same state. Everything the reducer needs from
        /// outside is part of the action.
        mutating func reduce(_ action: Action)
    }
}

extension Relux.State where Action == Never {
    /// Does nothing: there is no action of this type.
    public mutating func reduce(_ action: Never) {}
}

extension Relux.State {
    var ownAction: any Relux.Action.Type { Action.self }
}
