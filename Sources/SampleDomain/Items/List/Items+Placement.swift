extension Items {
    /// The position of a new item.
    public enum Placement: Sendable, Equatable {
        /// Below the last active item.
        case end

        /// Above the first active item.
        case top
    }
}
