public import Relux
public import SampleServices

extension Users {
    /// The users and the selection.
    public struct State: Relux.State, Hashable {
        /// The users.
        public internal(set) var roster: Relux.Loadable<Roster, StorageError> = .idle

        /// The id of the selected user. It is always the id of a known user: a user who is no longer known is
        /// deselected.
        public internal(set) var selection: User.ID?

        /// The revision of the newest snapshot received.
        var revision = 0

        /// Creates a state without users.
        public init() {}
    }
}

extension Users.State {
    /// What happens to the users and to the selection.
    public enum Action: Relux.Action, Hashable {
        /// The users were read. Their age is the revision of the snapshot.
        case changed(Snapshot<UserDirectory>)
        /// The users could not be read.
        case failed(StorageError)
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
            let known = Users.Roster(snapshot.value.users)
            roster = .loaded(known)
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
