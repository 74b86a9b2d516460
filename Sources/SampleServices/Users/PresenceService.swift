public import Foundation

/// Knows who is online.
///
/// - Ordering: ``changes()`` gives everything that changes after the call, in its order. A caller that wants to miss
///   nothing calls it before ``users()``.
/// - Cancellation: Cancelling the task that iterates ends the stream.
public protocol PresenceService: Sendable {
    /// Returns all users, in no particular order.
    func users() async throws(PresenceError) -> [User]

    /// Returns the users whose presence changes from now on, each as it is then.
    func changes() -> AsyncStream<User>
}

/// Why it isn't known who is online.
public enum PresenceError: Error, Hashable, CustomStringConvertible {
    /// The service doesn't answer.
    case unavailable

    /// A message for the user, with advice.
    public var description: String {
        switch self {
        case .unavailable: "Nobody knows who is online at the moment. Try again later."
        }
    }
}

/// A few colleagues who come and go, bundled with the program so that it needs no network.
public struct BundledPresence: PresenceService {
    private let rhythm: Duration
    private let start: Date

    /// Creates a service.
    ///
    /// - Parameter rhythm: The time between two changes.
    public init(rhythm: Duration = .seconds(3), now: Date = .now) {
        (self.rhythm, start) = (rhythm, now)
    }

    /// Returns the colleagues as they are at first.
    public func users() async -> [User] {
        [("ada", true), ("björn", false), ("chandra", true), ("dmitri", false), ("eun-ji", true)].enumerated()
            .map { index, user in
                User(
                    id: user.0, name: user.0.capitalized, isOnline: user.1,
                    since: start.addingTimeInterval(Double(index + 1) * -3_600)
                )
            }
    }

    /// Lets one colleague after another come or go.
    public func changes() -> AsyncStream<User> {
        AsyncStream { continuation in
            let task = Task {
                var users = await users()
                var turn = 0
                while (try? await Task.sleep(for: rhythm)) != nil {
                    users[turn].isOnline.toggle()
                    users[turn].since = .now
                    continuation.yield(users[turn])
                    turn = (turn + 2) % users.count
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
