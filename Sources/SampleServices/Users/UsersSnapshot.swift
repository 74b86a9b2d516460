/// All users, as a service saw them at one moment.
public struct UsersSnapshot: Sendable, Hashable {
    /// The users, in no particular order, each id once.
    public let users: [User]

    /// What could not be read, and so may hide a user, in the order of the places.
    public let damages: [UsersServiceError]

    /// Tells snapshots of one service apart by age: a later one has a greater or, if nothing has changed, the same
    /// revision, which is never below 1. Revisions of different services can't be compared.
    public let revision: Int

    /// Makes a snapshot.
    ///
    /// - Parameters:
    ///   - users: The users, each id once.
    ///   - damages: What could not be read.
    ///   - revision: The age of the snapshot within its service.
    public init(users: [User], damages: [UsersServiceError] = [], revision: Int) {
        self.users = users
        self.damages = damages
        self.revision = revision
    }
}

extension UsersSnapshot: CustomStringConvertible {
    /// How many there are, and the revision.
    public var description: String { "\(users.count) users, \(damages.count) damaged, revision \(revision)" }
}
