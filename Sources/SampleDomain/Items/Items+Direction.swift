extension Items {
    /// Where an item is moved to.
    public enum Direction: Sendable, Equatable {
        /// Above the one above.
        case up

        /// Below the one below.
        case down
    }
}
