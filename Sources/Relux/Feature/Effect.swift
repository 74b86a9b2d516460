extension Relux {
    /// An action that asks for asynchronous work, and may promise a value in return.
    ///
    /// Sagas and at most one flow take an effect. `perform` hands the flow's value to the caller; where the output is
    /// `Void`, sagas alone can answer. An effect may have reducers like any other action: they run before the work
    /// starts, which is the place to mark a state as loading.
    public protocol Effect: Action {
        /// The value that `perform` returns.
        associatedtype Output: Sendable = Void
    }
}
