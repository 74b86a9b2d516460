public import Foundation

/// A user who can be online or offline.
public struct User: Sendable, Hashable, Identifiable {
    /// The identity of the user, which never changes.
    public let id: String

    /// The user's name.
    public var name: String

    /// Whether the user is online.
    public var isOnline: Bool

    /// When the presence last changed.
    public var since: Date

    /// Creates a user.
    public init(id: String, name: String, isOnline: Bool, since: Date) {
        (self.id, self.name, self.isOnline, self.since) = (id, name, isOnline, since)
    }
}
