extension Relux {
    /// A value that the store owns, with the pure reducer of its own actions.
    ///
    /// The type identifies the state: one store holds at most one value of it. The store changes the value in place,
    /// so a reducer that updates one element of a large array copies nothing.
    public protocol State: Sendable, Equatable {
        /// The actions that this state reduces itself; `Never` where there are none.
        associatedtype Action: Relux.Action

        /// Changes the state as the action demands.
        ///
        /// A reducer is pure: synchronous, isolated to nothing, without a clock, a random number or a service. The same
        /// actions from the same state give the same state. What it needs from outside travels in the action.
        ///
        /// - Parameter action: What happened.
        mutating func reduce(_ action: Action)
    }
}

extension Relux.State where Action == Never {
    /// Nothing: there is no action of this type.
    ///
    /// - Parameter action: A value that can't exist.
    public mutating func reduce(_ action: Never) {}
}
