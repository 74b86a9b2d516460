public import Relux
public import SampleServices

extension Users.State {
    /// What happens to the users, and which of them a person looks at.
    public enum Action: Relux.Action, Hashable {
        /// The users are these now, or were at the age of the snapshot.
        case changed(UsersSnapshot)

        /// They could not be seen.
        case failed(UsersServiceError)

        /// Nobody waits for the load any more.
        case loadCancelled

        /// A user was selected, or, with nil, nobody. Nothing becomes of it where there is no such user.
        case selected(User.ID?)
    }
}
