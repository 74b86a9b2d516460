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
