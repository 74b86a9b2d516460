extension Relux {
    /// Sees an action before the action's reducers do, and may replace or drop it.
    ///
    /// - Isolation: Called inside the store, synchronously, with a reader of the states. Be quick.
    /// - Ordering: Called in the order of the configuration. In a batch, it sees each action with the state that the
    ///   previous action left. A replacement goes on to the next middleware, so it can't loop.
    /// - Reentrancy: A middleware may `send`, but must not wait for the store.
    public protocol Middleware: Sendable {
        /// Decides what happens to an action.
        ///
        /// - Parameters:
        ///   - action: The action, possibly replaced by an earlier middleware.
        ///   - reader: Reads the states as they are before the action.
        /// - Returns: Whether the action proceeds, is replaced, or is dropped.
        func intercept(_ action: any Action, _ reader: borrowing StateReader) -> Interception
    }

    /// The decision of a middleware about an action.
    public enum Interception: Sendable {
        /// The action proceeds unchanged.
        case proceed
        /// Another action proceeds instead. A performed effect may be replaced only by an effect with the same output.
        case replace(with: any Action)
        /// The action isn't reduced. The reason is reported to the observers.
        case drop(reason: String)
    }
}
