extension Items {
    /// Where a new item goes.
    public enum Placement: Sendable, Equatable {
        /// Below the last active item.
        case end

        /// Above the first one.
        case top
    }
}
