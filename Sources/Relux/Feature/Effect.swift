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
