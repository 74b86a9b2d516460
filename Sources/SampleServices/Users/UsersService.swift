/// Stores the presence of users.
///
/// Several services, in one process or in many, may use the same stored users.
///
/// - Ordering: Snapshots may arrive in a different order from the one in which they were taken.
///   ``UsersSnapshot/revision`` identifies the newer one.
public protocol UsersService: Sendable {
    /// Reads all users, online and offline. There are none if nobody has ever arrived, which is not an error.
    ///
    /// - Throws: If no user can be read. Errors that concern a single user are part of the snapshot.
    func users() async throws(UsersServiceError) -> UsersSnapshot

    /// Records a user's arrival. A user who is already online is unchanged, except for the spelling of the name.
    ///
    /// - Returns: The user, and whether the presence changed.
    /// - Throws: If the arrival can't be recorded.
    func arrive(_ name: User.Name) async throws(UsersServiceError) -> Passage

    /// Records a user's departure. A user who is already offline is unchanged.
    ///
    /// - Returns: The user, and whether the presence changed.
    /// - Throws: If the departure can't be recorded, ``UsersServiceError/Reason/unknown(_:)`` if the user has never
    ///   arrived.
    func leave(_ name: User.Name) async throws(UsersServiceError) -> Passage

    /// The current users first, and then every change, wherever it is made.
    ///
    /// A slow reader receives only the newest snapshot, and a burst of changes is reported as one. Damaged files are
    /// part of the snapshot and don't end the sequence.
    ///
    /// - Returns: A sequence for a single reader. It ends when the reading task is cancelled, when the sequence is
    ///   released, or after a failure. All of its system resources are released when it ends.
    func presence() async -> AsyncStream<Result<UsersSnapshot, UsersServiceError>>
}

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

/// The result of an arrival or departure.
public struct Passage: Sendable, Hashable {
    /// The user after the arrival or departure.
    public let user: User

    /// Whether the arrival or departure changed the user's presence.
    public let isNews: Bool

    /// Creates a passage.
    public init(_ user: User, isNews: Bool) {
        self.user = user
        self.isNews = isNews
    }
}
