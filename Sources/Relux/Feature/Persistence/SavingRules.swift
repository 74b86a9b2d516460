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

extension Relux {
    /// A rule for a saved value that can't be loaded. The value is never overwritten.
    public struct UnreadableRule: Sendable, Hashable {
        enum Kind { case refuse, setAside, startUnsaved }

        let kind: Kind

        /// The registration is refused with ``StoreError/notLoaded(_:_:)``, and changes nothing.
        public static var refuse: UnreadableRule { UnreadableRule(kind: .refuse) }

        /// Data that are damaged or too new are kept under another name, and the module starts with the initial value.
        /// This is reported. If the data are only unavailable, the registration is refused, because they may be
        /// readable later.
        public static var setAside: UnreadableRule { UnreadableRule(kind: .setAside) }

        /// The module starts with the initial value, and the state isn't saved until
        /// ``ModuleManaging/discardSaved(_:fileID:line:)``. This is reported.
        public static var startUnsaved: UnreadableRule { UnreadableRule(kind: .startUnsaved) }
    }
}

extension Relux {
    /// How long a change of a persisted state may wait before it is saved.
    public struct SavingPace: Sendable, Hashable {
        /// Nil for no wait at all.
        let limit: Duration?

        /// The value is saved within this time after its first unsaved change, on the store's clock. Changes in the
        /// meantime are saved together.
        public static func within(_ limit: Duration) -> SavingPace { SavingPace(limit: limit) }

        /// Each change is saved as soon as the previous save has ended. Changes in the meantime are saved together.
        public static var atOnce: SavingPace { SavingPace(limit: nil) }
    }
}
