public import Relux
public import SampleServices

extension Users {
    /// Who is there, as far as it is known, and who is selected.
    public struct State: Relux.State, Hashable {
        /// The users. After a failure it may not be followed any more who comes and goes; a load that succeeds puts
        /// that right.
        public internal(set) var roster: Relux.Loadable<Roster, UsersServiceError> = .idle

        /// What could not be read, and so may hide a user, in the order of the places.
        public internal(set) var damages: [UsersServiceError] = []

        /// The user who is selected. There is always such a user; who isn't known any more isn't selected any more.
        public internal(set) var selection: User.ID?

        /// The age of what is known.
        var revision = 0

        /// Makes a state in which nobody is known.
        public init() {}

        /// How many users there are, in both sections.
        public var count: Int { roster.value?.count ?? 0 }

        /// The user at a place.
        ///
        /// - Parameter indexPath: The place; any will do.
        /// - Returns: The user, or nil where nobody stands there.
        public func user(at indexPath: IndexPath) -> User? { roster.value?.user(at: indexPath) }

        /// Where a user stands.
        ///
        /// - Parameter id: The id of the user.
        /// - Returns: The place, or nil where there is no such user.
        public func indexPath(of id: User.ID) -> IndexPath? { roster.value?.indexPath(of: id) }

        /// The user who is selected; nil where nobody is.
        public var selectedUser: User? { selection.flatMap { roster.value?[$0] } }
    }
}
