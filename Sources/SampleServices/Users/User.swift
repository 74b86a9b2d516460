public import Foundation

/// A user who can be online or offline.
public struct User: Sendable, Hashable, Identifiable {
    /// The identity of a user: the name in lower case.
    public typealias ID = String

    /// Whether a user is online.
    public enum Presence: String, Sendable, Hashable, CaseIterable, Codable {
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

    /// Returns the id of the user with a name.
    public static func id(of name: ProfileName) -> ID { name.text.lowercased() }
}

extension User: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, presence, since
    }

    /// Decodes a user, whose name must be one that could have been given.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(ProfileName.self, forKey: .name)
        self.init(
            id: User.id(of: name), name: name.text, presence: try container.decode(Presence.self, forKey: .presence),
            since: try container.decode(Date.self, forKey: .since))
    }
}
