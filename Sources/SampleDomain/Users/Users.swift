public import Relux
public import SampleServices

/// Who is online and who is offline, in two sections sorted by name.
///
/// - Owns: ``State``, with the roster.
/// - Takes: ``Command``, which records an arrival or departure; and ``Effect``, to read the users again after a
///   failure.
/// - Sets off: a load, as soon as it is registered, if it follows what others record.
/// - Follows: what other processes record, for as long as the module lives.
///
/// A front end shows what ``Presenter/listing(of:)-(Users.State)`` makes of the state.
public enum Users {
    /// What a user wants done.
    ///
    /// Performing a command returns when the service has recorded it. It throws a ``UsersError`` if that fails, in
    /// which case nothing has changed.
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
        /// Reads the users.
        case load
    }

    /// The result of an arrival or departure.
    public struct Passage: Sendable, Hashable {
        /// The user after the arrival or departure.
        public let user: User

        /// Whether the arrival or departure changed the user's presence.
        public let isNews: Bool
    }
}

/// Why an arrival or departure failed.
public enum UsersError: Error, Hashable {
    /// The text is not a valid name.
    case noName(String, ProfileNameError)
    /// No user of this name has ever arrived.
    case unknown(String)
    /// The service could not record it.
    case notNoted(StorageError)
}
