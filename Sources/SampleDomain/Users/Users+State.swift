public import Relux
public import SampleServices

extension Users {
    /// The known users and the selection.
    public struct State: Relux.State, Hashable {
        /// The users. After a failure, changes of presence may no longer be followed until a load succeeds.
        public internal(set) var roster: Relux.Loadable<Roster, UsersServiceError> = .idle

        /// The errors of files that couldn't be read and may hide a user, in the order of the files.
        public internal(set) var damages: [UsersServiceError] = []

        /// The id of the selected user. It is always the id of a known user: a user who is no longer known is
        /// deselected.
        public internal(set) var selection: User.ID?

        /// The revision of the newest snapshot received.
        var revision = 0

        /// Creates a state without users.
        public init() {}

        /// The number of users in both sections.
        public var count: Int { roster.value?.count ?? 0 }

        /// Returns the user at a position, or nil if there is none.
        ///
        /// - Parameter indexPath: The position, which may be out of range.
        public func user(at indexPath: IndexPath) -> User? { roster.value?.user(at: indexPath) }

        /// Returns the position of a user, or nil if there is no such user.
        public func indexPath(of id: User.ID) -> IndexPath? { roster.value?.indexPath(of: id) }

        /// The selected user, or nil for none.
        public var selectedUser: User? { selection.flatMap { roster.value?[$0] } }
    }
}
