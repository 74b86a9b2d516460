public import Relux
public import SampleServices

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
}
