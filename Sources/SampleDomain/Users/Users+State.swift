public import Relux
public import SampleServices

extension Users {
    /// The users.
    public struct State: Relux.State, Hashable {
        /// The users.
        public internal(set) var roster: Relux.Loadable<Roster, StorageError> = .idle

        /// The revision of the newest snapshot received.
        var revision = 0

        /// Creates a state without users.
        public init() {}
    }
}

extension Users.State {
    /// What happens to the users.
    public enum Action: Relux.Action, Hashable {
        /// The users are known anew. The snapshot's revision says how recent they are.
        case changed(Snapshot<UserDirectory>)
        /// The users could not be read.
        case failed(StorageError)
        /// Loading was cancelled.
        case loadCancelled
    }

    /// Applies an action to the users.
    ///
    /// - Complexity: O(*n* log *n*) in the number of users for a change, otherwise O(1).
    public mutating func reduce(_ action: Action) {
        switch action {
        case .changed(let snapshot):
            // The answer to a load may arrive after more recent changes.
            guard snapshot.revision >= revision else { return roster.cancelLoading() }
            roster = .loaded(Users.Roster(snapshot.value.users))
            revision = snapshot.revision
        case .failed(let error): roster.fail(with: error)
        case .loadCancelled: roster.cancelLoading()
        }
    }

    /// Marks the users as loading.
    public mutating func reduce(_ effect: Users.Effect) {
        switch effect {
        case .load: roster.startLoading()
        }
    }
}
