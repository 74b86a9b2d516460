extension Pets {
    /// A message to show with other content.
    public struct Notice: Sendable, Hashable {
        /// The importance of a notice.
        public enum Kind: Sendable, Hashable {
            /// Work is in progress.
            case progress
            /// Something failed, and nothing more is being done about it.
            case failure
            /// Nothing is wrong.
            case information
        }

        /// The importance of the notice.
        public let kind: Kind

        /// The lines of the message, one sentence each. A sentence that concerns a place starts with it.
        public let lines: [String]

        init(_ kind: Kind, _ lines: [String]) {
            self.kind = kind
            self.lines = lines
        }
    }
}
