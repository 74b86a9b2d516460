public import SampleServices

extension Users {
    /// The sections of the roster, in their order.
    public enum Section: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Who is there.
        case online

        /// Who isn't.
        case offline

        /// The section of who is there, or isn't.
        ///
        /// - Parameter presence: Whether somebody is there.
        public init(_ presence: User.Presence) {
            switch presence {
            case .online: self = .online
            case .offline: self = .offline
            }
        }

        /// Whether one section stands above another.
        public static func < (lhs: Section, rhs: Section) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}
