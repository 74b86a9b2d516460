public import Relux
public import SampleServices

extension Users {
    /// All users in their sections, sorted by name within each section.
    ///
    /// The order ignores case and the user's language. Equal names are sorted by id. The order is therefore the same
    /// for everybody who sees the same users.
    public struct Roster: Sendable, Hashable {
        private let online: Relux.Entities<User>
        private let offline: Relux.Entities<User>

        /// Creates a roster.
        ///
        /// - Complexity: O(*n* log *n*).
        public init(_ users: [User] = []) {
            let sorted = Relux.Entities(users, keeping: .first)
                .map { (key: $0.name.lowercased(), user: $0) }
                .sorted { ($0.key, $0.user.id) < ($1.key, $1.user.id) }
                .map(\.user)
            online = Relux.Entities(sorted.filter { $0.presence == .online }, keeping: .first)
            offline = Relux.Entities(sorted.filter { $0.presence == .offline }, keeping: .first)
        }

        /// Whether there are no users.
        public var isEmpty: Bool { online.isEmpty && offline.isEmpty }

        /// All users, in the order of the sections.
        public var all: [User] { Array(online) + Array(offline) }

        /// Returns the users of a section in their order.
        public func users(in section: Section) -> Relux.Entities<User> {
            switch section {
            case .online: online
            case .offline: offline
            }
        }
    }

    /// The sections of the roster, in their order.
    public enum Section: Sendable, Hashable, CaseIterable {
        /// The users who are online.
        case online
        /// The users who are offline.
        case offline
    }
}
