extension Pets {
    /// What there is to say beside what is shown.
    public struct Notice: Sendable, Hashable {
        /// How much it matters.
        public enum Kind: Sendable, Hashable {
            /// Something is going on.
            case progress
            /// Something went wrong, and nothing is done about it any more.
            case failure
            /// All is well.
            case information
        }

        /// How much it matters.
        public let kind: Kind

        /// One sentence a line, and where it concerns a place, that first.
        public let lines: [String]

        init(_ kind: Kind, _ lines: [String]) {
            self.kind = kind
            self.lines = lines
        }
    }
}
