public import SampleServices

extension Users {
    /// The sections of the roster, in their order.
    public enum Section: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// The users who are online.
        case online

        /// The users who are offline.
        case offline

        /// The section of users with a given presence.
        public init(_ presence: User.Presence) {
            switch presence {
            case .online: self = .online
            case .offline: self = .offline
            }
        }

        /// Whether one section is above another.
        public static func < (lhs: Section, rhs: Section) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}
