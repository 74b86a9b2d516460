public import Foundation

/// Somebody who comes and goes.
public struct User: Sendable, Hashable, Identifiable {
    /// Tells users apart. It never changes, however often they come and go.
    public typealias ID = String

    /// Whether somebody is there.
    public enum Presence: String, Sendable, Hashable, CaseIterable {
        /// There.
        case online
        /// Not there.
        case offline
    }

    /// What tells the user from others.
    public let id: ID

    /// What the user is called, as it was written last.
    public var name: String

    /// Whether the user is there.
    public var presence: Presence

    /// Since when that is so.
    public var since: Date

    /// Makes a user.
    ///
    /// - Parameters:
    ///   - id: What tells the user from others.
    ///   - name: What the user is called.
    ///   - presence: Whether the user is there.
    ///   - since: Since when that is so.
    public init(id: ID, name: String, presence: Presence, since: Date) {
        self.id = id
        self.name = name
        self.presence = presence
        self.since = since
    }
}
