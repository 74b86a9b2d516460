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
        /// - Parameter users: The users, in any order. If an id occurs several times, the first user is kept.
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
        /// - Parameter indexPath: The position, which may be out of range.
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
}
