extension Relux {
    /// What the reset or the removal of a state means to what was saved of it.
    public struct SavedRule: Sendable, Hashable {
        enum Kind { case save, keep, erase }

        let kind: Kind

        /// The value is saved: after a reset, this is the initial one. At a removal, this means the same as ``keep``.
        public static var save: SavedRule { SavedRule(kind: .save) }

        /// What was saved stays. A reset forgets unsaved changes; a removal saves them.
        public static var keep: SavedRule { SavedRule(kind: .keep) }

        /// What was saved is removed, and unsaved changes are forgotten.
        public static var erase: SavedRule { SavedRule(kind: .erase) }
    }
}
