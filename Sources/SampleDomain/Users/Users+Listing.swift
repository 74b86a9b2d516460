public import SampleServices

extension Users {
    /// The displayed list of all users.
    public struct Listing: Sendable, Hashable {
        /// The users of one section.
        public struct Group: Sendable, Hashable {
            /// The section.
            public let section: Section

            /// The users in their order. There is at least one.
            public let rows: [Row]
        }

        /// One user.
        public struct Row: Sendable, Hashable, Identifiable {
            /// The id of the user.
            public let id: User.ID

            /// The user's name.
            public let name: String

            /// When the user's presence last changed.
            public let since: String
        }

        /// The sections that aren't empty, in their order.
        public let groups: [Group]

        /// A message to show with the users, in lines of one sentence each. It may be empty.
        public let notice: [String]

        /// Whether the users can't be read. In that case the notice says why.
        public let isFailed: Bool
    }
}
