public import Relux
public import SampleServices

/// Who is online and who is offline, in two sections sorted by name.
///
/// - Owns: ``State``, with the roster, the selected user, and what can't be read.
/// - Takes: ``Command``, which records an arrival or departure; ``Effect``, to read the users again after a failure;
///   and the selecting action of ``State``.
/// - Follows: the presence of users, for as long as the module lives.
///
/// A front end shows what a ``Presenter`` makes of the state.
public enum Users {
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

    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Reads the users. It is meant for front ends that don't follow them, and as the retry after a failure: if it
        /// succeeds, the users are followed again.
        case load
    }
}

/// Why an arrival or departure failed.
public enum UsersError: Error, Hashable {
    /// The text is not a valid name.
    case noName(String, User.Name.Flaw)
    /// The service could not record it.
    case notNoted(UsersServiceError)
}
