extension Relux {
    /// Something that happened or is wanted.
    ///
    /// An action is a plain value. It is routed by its exact concrete type to the reducers and sagas of that type. Each
    /// feature therefore declares an enum of its own, and a `switch` over it in the reducer needs no `default`.
    ///
    /// Name actions after what happened (`itemsLoaded`), and effects after what they command (`loadItems`).
    public protocol Action: Sendable {}
}

/// A state without actions of its own declares `Never` as its action and needs no `reduce`.
extension Never: Relux.Action {}

extension Relux {
    /// An action that nothing has to handle, such as the announcement `WillSignOut`.
    ///
    /// It is never reported as unhandled, and `actions { }` doesn't count it as a failure. It is reduced, numbered, and
    /// delivered like any other action.
    public protocol Broadcast: Action {}
}

extension Relux {
    /// An action that requests asynchronous work and may promise a value in return.
    ///
    /// An effect is handled by any number of sagas and at most one flow. `perform` returns the flow's value to the
    /// caller. If the output is `Void`, sagas alone are enough. An effect may have reducers like any other action. They
    /// run before the work starts, which makes them the place to mark a state as loading.
    public protocol Effect: Action {
        /// The value that `perform` returns.
        associatedtype Output: Sendable = Void
    }
}
