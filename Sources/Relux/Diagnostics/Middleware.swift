extension Relux {
    /// What sees an action before its reducers, and may replace or drop it.
    ///
    /// - Isolation: Called inside the store, synchronously, with a reader of the states. Be quick.
    /// - Ordering: In the order of the configuration. In a batch each action is seen on the state that the one before
    ///   left. A replacement goes on to the next middleware, so it can't loop.
    /// - Reentrancy: A middleware may `send`; it must not wait for the store.
    public protocol Middleware: Sendable {
        /// Decides about an action.
        ///
        /// - Parameters:
        ///   - action: The action, perhaps replaced by a middleware before this one.
        ///   - reader: Reads the states as they are before the action.
        /// - Returns: What becomes of it.
        func intercept(_ action: any Action, _ reader: borrowing StateReader) -> Interception
    }

    /// What a middleware decides about an action.
    public enum Interception: Sendable {
        /// It goes on as it is.
        case proceed
        /// Another action goes on in its place. A performed effect may be replaced only by one with the same output.
        case replace(with: any Action)
        /// It isn't reduced. Observers get the reason.
        case drop(reason: String)
    }
}
