public import Foundation

/// A user who can be online or offline.
public struct User: Sendable, Hashable, Identifiable {
    /// The identity of a user, which never changes, however often the user arrives and leaves.
    public typealias ID = String

    /// Whether a user is online.
    public enum Presence: String, Sendable, Hashable, CaseIterable {
        /// The user has arrived.
        case online
        /// The user has left, or has never arrived.
        case offline
    }

    /// The identity of the user.
    public let id: ID

    /// The user's name, in its most recent spelling.
    public var name: String

    /// Whether the user is online.
    public var presence: Presence

    /// When the presence last changed.
    public var since: Date

    /// Creates a user.
    public init(id: ID, name: String, presence: Presence, since: Date) {
        self.id = id
        self.name = name
        self.presence = presence
        self.since = since
    }
}
