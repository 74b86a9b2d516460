extension Relux {
    /// A rule about the saved data of a state when the state is reset or removed.
    public struct SavedRule: Sendable, Hashable {
        enum Kind { case save, keep, erase }

        let kind: Kind

        /// Saves the value of the state, which is the initial one after a reset. For a removal, this is the same as
        /// ``keep``.
        public static var save: SavedRule { SavedRule(kind: .save) }

        /// Keeps the saved data. A reset discards unsaved changes; a removal saves them.
        public static var keep: SavedRule { SavedRule(kind: .keep) }

        /// Erases the saved data, and discards unsaved changes.
        public static var erase: SavedRule { SavedRule(kind: .erase) }
    }
}
