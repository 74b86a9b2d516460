/// An error of the pets service: what happened, where, and what can be done about it.
public struct PetsServiceError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// The server couldn't be reached, or the connection failed.
        case offline(Obstacle)

        /// No complete answer arrived within the time limit.
        case slow(limit: Duration)

        /// There is no pet with this id.
        case notFound(Pet.ID)

        /// The server answered with an unsuccessful status.
        case status(Int)

        /// The answer is malformed. The text says what is wrong with it.
        case malformed(String)

        /// The server couldn't prove its identity.
        case untrusted

        /// The task was cancelled.
        case cancelled
    }

    /// What prevented communication with the server.
    public enum Obstacle: Sendable, Hashable {
        /// The device has no network connection.
        case noNetwork

        /// The server's name couldn't be resolved.
        case unknownHost

        /// The system can't use an address made of numbers instead of a name.
        case numericAddress

        /// Nothing answers at the server's address.
        case unreachable

        /// The connection was closed before the answer was complete.
        case brokenOff

        /// Any other obstacle, with the error code of the system's URL loading.
        case other(code: Int)
    }

    /// What happened.
    public let reason: Reason

    /// The address of the request, or another name for the source of the pets.
    public let place: String

    /// Creates an error.
    ///
    /// - Parameter place: The address of the request, or another name for the source of the pets.
    public init(_ reason: Reason, place: String) {
        self.reason = reason
        self.place = place
    }
}
