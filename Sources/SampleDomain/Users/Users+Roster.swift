public import Relux
public import SampleServices

extension Users {
    /// All users in their sections, and in each section by name.
    ///
    /// Upper and lower case don't matter to the order, nor does anybody's language; of equal names the ids decide. So
    /// it is the same for everybody who sees the same users.
    public struct Roster: Sendable, Hashable {
        private let online: Relux.Entities<User>
        private let offline: Relux.Entities<User>

        /// Makes a roster.
        ///
        /// - Parameter users: The users, in any order. Of several with one id the first counts.
        /// - Complexity: O(*n* log *n*).
        public init(_ users: [User] = []) {
            let sorted = Relux.Entities(users, keeping: .first)
                .map { (key: $0.name.lowercased(), user: $0) }
                .sorted { ($0.key, $0.user.id) < ($1.key, $1.user.id) }
                .map(\.user)
            online = Relux.Entities(sorted.filter { $0.presence == .online }, keeping: .first)
            offline = Relux.Entities(sorted.filter { $0.presence == .offline }, keeping: .first)
        }

        /// How many there are, in both sections.
        public var count: Int { online.count + offline.count }

        /// All users, in the order of the sections.
        public var all: [User] { Array(online) + Array(offline) }

        /// The users of a section.
        ///
        /// - Parameter section: The section.
        /// - Returns: The users in their order.
        public func users(in section: Section) -> Relux.Entities<User> {
            switch section {
            case .online: online
            case .offline: offline
            }
        }

        /// The user at a place.
        ///
        /// - Parameter indexPath: The place; any will do.
        /// - Returns: The user, or nil where nobody stands there.
        /// - Complexity: O(1).
        public func user(at indexPath: IndexPath) -> User? {
            users(in: indexPath.section).element(at: indexPath.item)
        }

        /// Where a user stands.
        ///
        /// - Parameter id: The id of the user.
        /// - Returns: The place, or nil where there is no such user.
        /// - Complexity: O(1).
        public func indexPath(of id: User.ID) -> IndexPath? {
            if let item = online.position(id: id) { return IndexPath(section: .online, item: item) }
            return offline.position(id: id).map { IndexPath(section: .offline, item: $0) }
        }

        /// The user with an id.
        ///
        /// - Parameter id: The id.
        /// - Complexity: O(1).
        public subscript(id: User.ID) -> User? {
            online[id: id] ?? offline[id: id]
        }
    }
}
