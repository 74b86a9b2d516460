import Relux
import SampleServices

extension Users.State {
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
