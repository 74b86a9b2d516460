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
        public func user(at indexPath: IndexPath) -> User? { roster.value?.user(at: indexPath) }

        /// Returns the position of a user, or nil if there is no such user.
        public func indexPath(of id: User.ID) -> IndexPath? { roster.value?.indexPath(of: id) }

        /// The selected user, or nil for none.
        public var selectedUser: User? { selection.flatMap { roster.value?[$0] } }
    }
}

extension Users.State {
    /// What happens to the users and to the selection.
    public enum Action: Relux.Action, Hashable {
        /// The users were read. Their age is the revision of the snapshot.
        case changed(UsersSnapshot)
        /// The users could not be read.
        case failed(UsersServiceError)
        /// Loading was cancelled.
        case loadCancelled
        /// A user was selected, or nobody if nil. The id of an unknown user is ignored.
        case selected(User.ID?)
    }

    /// Applies an action to the users.
    ///
    /// - Complexity: O(*n* log *n*) in the number of users for a change, otherwise O(1).
    public mutating func reduce(_ action: Action) {
        switch action {
        case .changed(let snapshot):
            // The answer to a load may arrive after more recent changes.
            guard snapshot.revision >= revision else { return roster.cancelLoading() }
            let known = Users.Roster(snapshot.users)
            roster = .loaded(known)
            damages = snapshot.damages
            revision = snapshot.revision
            if let id = selection, known[id] == nil { selection = nil }
        case .failed(let error): roster.fail(with: error)
        case .loadCancelled: roster.cancelLoading()
        case .selected(let id):
            if let id, roster.value?[id] == nil { return }
            selection = id
        }
    }

    /// Marks the users as loading.
    public mutating func reduce(_ effect: Users.Effect) {
        switch effect {
        case .load: roster.startLoading()
        }
    }
}
