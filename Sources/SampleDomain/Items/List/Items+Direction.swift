extension Items {
    /// The direction in which an item is moved.
    public enum Direction: Sendable, Equatable {
        /// Above the previous item.
        case up

        /// Below the next item.
        case down
    }
}
