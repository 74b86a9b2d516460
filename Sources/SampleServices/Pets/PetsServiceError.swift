import Foundation

/// An error of the pets service: what happened, where, and what can be done about it.
public struct PetsServiceError: Error, Hashable {
    /// A reason for a failure.
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

    /// An obstacle to communication with the server.
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

    /// The reason.
    public let reason: Reason

    /// The address of the request, or another name for the source of the pets.
    public let place: String

    /// Creates an error.
    public init(_ reason: Reason, place: String) {
        self.reason = reason
        self.place = place
    }
}

extension PetsServiceError: CustomStringConvertible {
    /// The event in one sentence, without the place.
    public var explanation: String {
        switch reason {
        case .offline(.noNetwork): "There is no connection to any network."
        case .offline(.unknownHost): "There is no server of that name."
        case .offline(.numericAddress): "This system can't use a numeric address."
        case .offline(.unreachable): "The server doesn't respond."
        case .offline(.brokenOff): "The connection broke off before the answer was complete."
        case .offline(.other(let code)): "The server can't be reached (error \(code))."
        case .slow(let limit): "No complete answer came within \(limit.formatted(Self.time))."
        case .notFound(let id): "There is no pet with the id “\(id)”."
        case .status(let code) where code == 401 || code == 403: "The server gives no access (status \(code))."
        case .status(404): "There is no catalogue of pets there (status 404)."
        case .status(429): "The server has had too many requests (status 429)."
        case .status(let code) where code >= 500: "The server is in trouble (status \(code))."
        case .status(let code): "The server didn't understand the request (status \(code))."
        case .malformed(let what): "The answer can't be understood: \(what)."
        case .untrusted: "The server can't prove who it is."
        case .cancelled: "The work was cancelled."
        }
    }

    /// Advice for the user, in one sentence.
    public var advice: String {
        switch reason {
        case .offline(.noNetwork): "Connect to a network, then try again."
        case .offline(.unknownHost): "Check the address and the network, then try again."
        case .offline(.numericAddress): "Use the name of the server."
        case .offline(.unreachable): "Check the address, and that the server is running, then try again."
        case .offline(.brokenOff), .offline(.other): "Check the network, then try again."
        case .slow: "Try again later."
        case .notFound: "Look for its id in the list of pets; it may have found a home."
        case .status(401), .status(403): "Ask those who run the server for access."
        case .status(429), .status(500...): "Try again later, or tell those who run the server."
        case .status, .malformed: "Check that this is the address of a catalogue of pets."
        case .untrusted: "Check the address, and don't trust this server before its certificate is in order."
        case .cancelled: "Try again."
        }
    }

    /// The place, the explanation, and the advice in one line.
    public var description: String { "\(place): \(explanation) \(advice)" }

    private static let time = Duration.UnitsFormatStyle(
        allowedUnits: [.minutes, .seconds, .milliseconds], width: .wide
    )
    .locale(Locale(identifier: "en"))
}
