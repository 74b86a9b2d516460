/// All users, as a service saw them at one point in time.
public struct UsersSnapshot: Sendable, Hashable {
    /// The users, in no particular order. Each id occurs once.
    public let users: [User]

    /// The errors of files that couldn't be read and may hide a user, in the order of the files.
    public let damages: [UsersServiceError]

    /// The relative age of the snapshot within one service, at least 1. A later snapshot has a greater revision, or the
    /// same one if nothing has changed. Revisions of different services can't be compared.
    public let revision: Int

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - users: The users. Each id must occur once.
    ///   - damages: The errors of files that couldn't be read.
    ///   - revision: The relative age of the snapshot within its service.
    public init(users: [User], damages: [UsersServiceError] = [], revision: Int) {
        self.users = users
        self.damages = damages
        self.revision = revision
    }
}

extension UsersSnapshot: CustomStringConvertible {
    /// The number of users, the number of damaged files, and the revision.
    public var description: String { "\(users.count) users, \(damages.count) damaged, revision \(revision)" }
}
