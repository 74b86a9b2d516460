public import Relux
public import SampleServices

extension Users {
    /// What a user wants.
    ///
    /// To perform one returns when it is noted where users come and go, and throws a ``UsersError`` where it can't be;
    /// then nothing has changed. The state follows by itself, in a moment.
    public enum Command: Relux.Effect, Hashable {
        /// What became of the command.
        public typealias Output = Passage

        /// Somebody has come.
        case arrive(name: String)

        /// Somebody has gone.
        case leave(name: String)
    }
}
