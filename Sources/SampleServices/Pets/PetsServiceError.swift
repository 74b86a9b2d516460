/// Why a pet or the catalogue could not be had: what happened, where, and what can be done about it.
public struct PetsServiceError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// There was no way to the server and back.
        case offline(Obstacle)

        /// No complete answer came in the time that there was for it.
        case slow(limit: Duration)

        /// There is no pet with this id.
        case notFound(Pet.ID)

        /// The server answered with a status that is no success.
        case status(Int)

        /// The answer is not what it should be. The text says what is wrong with it.
        case malformed(String)

        /// The server can't prove who it is.
        case untrusted

        /// The task was cancelled.
        case cancelled
    }

    /// What stood in the way to the server.
    public enum Obstacle: Sendable, Hashable {
        /// The device has no connection to any network.
        case noNetwork

        /// Nobody knows the name of the server.
        case unknownHost

        /// Nobody answers at its address.
        case unreachable

        /// The connection ended in the middle.
        case brokenOff

        /// Anything else, with the number that the system's URL loading gives it.
        case other(code: Int)
    }

    /// What happened.
    public let reason: Reason

    /// The address that was asked, or another name for where the pets come from.
    public let place: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: What happened.
    ///   - place: The address that was asked, or another name for where the pets come from.
    public init(_ reason: Reason, place: String) {
        self.reason = reason
        self.place = place
    }
}
