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

        /// The number of users in both sections.
        public var count: Int { online.count + offline.count }

        /// All users, in the order of the sections.
        public var all: [User] { Array(online) + Array(offline) }

        /// Returns the users of a section in their order.
        public func users(in section: Section) -> Relux.Entities<User> {
            switch section {
            case .online: online
            case .offline: offline
            }
        }

        /// Returns the user at a position, or nil if there is none.
        ///
        /// - Complexity: O(1).
        public func user(at indexPath: IndexPath) -> User? {
            users(in: indexPath.section).element(at: indexPath.item)
        }

        /// Returns the position of a user, or nil if there is no such user.
        ///
        /// - Complexity: O(1).
        public func indexPath(of id: User.ID) -> IndexPath? {
            if let item = online.position(id: id) { return IndexPath(section: .online, item: item) }
            return offline.position(id: id).map { IndexPath(section: .offline, item: $0) }
        }

        /// The user with an id, or nil if there is none.
        ///
        /// - Complexity: O(1).
        public subscript(id: User.ID) -> User? {
            online[id: id] ?? offline[id: id]
        }
    }

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

    /// The position of a user: the section, and the index in that section.
    public struct IndexPath: Sendable, Hashable, Comparable {
        /// The section.
        public let section: Section

        /// The index in the section, starting at 0.
        public let item: Int

        /// Creates an index path.
        public init(section: Section, item: Int) {
            self.section = section
            self.item = item
        }

        /// Whether one position is above another.
        public static func < (lhs: IndexPath, rhs: IndexPath) -> Bool {
            (lhs.section, lhs.item) < (rhs.section, rhs.item)
        }
    }
}

extension Users.IndexPath: CustomStringConvertible {
    /// The position in the form `online 3`.
    public var description: String { "\(section) \(item)" }
}
