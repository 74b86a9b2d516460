/// Where users come and go.
///
/// Several services, in one process or in many, may stand before the same place.
///
/// - Isolation: None. The methods can be called from anywhere, at the same time, and block no thread of the
///   cooperative pool for long.
/// - Ordering: Snapshots may reach their readers in another order than they were taken; ``UsersSnapshot/revision``
///   tells the newer one.
public protocol UsersService: Sendable {
    /// Who is there now, and who isn't. Where nobody has ever come there is nobody, which is no error.
    ///
    /// - Returns: The users as they are now.
    /// - Throws: What kept all of them from being seen. What hides one of them is in the snapshot.
    func users() async throws(UsersServiceError) -> UsersSnapshot

    /// Notes that somebody has come. Who is there already stays as before, but for how the name is written.
    ///
    /// Cancelling the task while it waits for its turn ends it with ``UsersServiceError/Reason/cancelled``, and nothing
    /// is changed.
    ///
    /// - Parameter name: Who has come.
    /// - Returns: The user, and whether that is news.
    /// - Throws: What kept it from being noted.
    func arrive(_ name: User.Name) async throws(UsersServiceError) -> Passage

    /// Notes that somebody has gone. Who isn't there stays as before.
    ///
    /// Cancelling the task while it waits for its turn ends it with ``UsersServiceError/Reason/cancelled``, and nothing
    /// is changed.
    ///
    /// - Parameter name: Who has gone.
    /// - Returns: The user, and whether that is news.
    /// - Throws: What kept it from being noted, ``UsersServiceError/Reason/unknown(_:)`` where that user has
    ///   never come.
    func leave(_ name: User.Name) async throws(UsersServiceError) -> Passage

    /// Who is there: at first as it is now, then whenever that has changed, whoever changed it.
    ///
    /// A reader that is away gets the newest snapshot only, and a burst of changes comes as one. What can't be read is
    /// in the snapshot, and doesn't end the sequence.
    ///
    /// - Returns: A sequence for one reader. It ends when its task is cancelled, when it is released, and after a
    ///   failure. Whatever it holds of the system is given back then.
    func presence() async -> AsyncStream<Result<UsersSnapshot, UsersServiceError>>
}
