public import SampleServices

extension Users {
    /// All users, as people read them.
    public struct Listing: Sendable, Hashable {
        /// The users who are there, or those who aren't.
        public struct Group: Sendable, Hashable {
            /// Which of the two.
            public let section: Section

            /// The users in their order; there is one at least.
            public let rows: [Row]
        }

        /// One user.
        public struct Row: Sendable, Hashable, Identifiable {
            /// The id of the user.
            public let id: User.ID

            /// What the user is called.
            public let name: String

            /// Since when the user has been there, or not.
            public let since: String

            /// Whether it is the selected one.
            public let isSelected: Bool
        }

        /// The sections that aren't empty, in their order.
        public let groups: [Group]

        /// What there is to say beside them, each in lines of one sentence, the most important first.
        public let notices: [[String]]

        /// Whether the users could not be seen, and the first notice says why.
        public let isFailed: Bool
    }
}
