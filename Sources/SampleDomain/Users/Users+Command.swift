public import Relux
public import SampleServices

extension Users {
    /// What a user wants done.
    ///
    /// Performing a command returns when the service has recorded it. It throws a ``UsersError`` if that fails, in
    /// which case nothing has changed. The state follows automatically, a moment later.
    public enum Command: Relux.Effect, Hashable {
        /// The result of the command.
        public typealias Output = Passage

        /// Records a user's arrival.
        case arrive(name: String)

        /// Records a user's departure.
        case leave(name: String)
    }
}
