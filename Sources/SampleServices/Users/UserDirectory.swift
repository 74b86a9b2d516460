public import Foundation

/// All users who have ever arrived, online and offline, in no particular order.
public struct UserDirectory: JSONStored, Hashable {
    /// What a user does.
    public enum Change: Sendable, Hashable {
        /// The user arrives. If the user is already online, only the spelling of the name changes.
        case arrive(ProfileName, at: Date)
        /// The user leaves. A user who is already offline, or has never arrived, is unchanged.
        case leave(ProfileName, at: Date)
    }

    /// The name of the file, without its extension.
    public static let fileStem = "users"

    /// The name of the format, as written in the file.
    public static let format = "relux-users"

    /// The version of the format.
    public static let version = 1

    /// A human-readable name.
    public static let kind = "users"

    /// The users. Each id occurs once.
    public private(set) var users: [User]

    /// Creates a directory. Each id must occur once.
    public init(_ users: [User]) {
        self.users = users
    }

    /// Creates an empty directory.
    public init() {
        self.init([])
    }

    /// The user with a name, or nil if there is none.
    public subscript(name: ProfileName) -> User? {
        users.first { $0.id == User.id(of: name) }
    }

    /// Records what a user does.
    public mutating func apply(_ change: Change) {
        switch change {
        case .arrive(let name, let date):
            var user = self[name] ?? User(id: User.id(of: name), name: name.text, presence: .offline, since: date)
            user.name = name.text
            put(user, .online, at: date)
        case .leave(let name, let date):
            if let user = self[name] { put(user, .offline, at: date) }
        }
    }

    private mutating func put(_ user: User, _ presence: User.Presence, at date: Date) {
        var user = user
        if user.presence != presence { (user.presence, user.since) = (presence, Timestamp.rounded(date)) }
        if let index = users.firstIndex(where: { $0.id == user.id }) { users[index] = user } else { users.append(user) }
    }
}

/// Stores the users.
public typealias UsersService = StorageService<UserDirectory>
