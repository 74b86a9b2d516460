public import Foundation

/// Users that last as long as the process: for tests and previews.
///
/// A closure, run before each look, arrival and departure, lets a test make it fail, or hold it until it lets it go on.
///
/// - Reentrancy: While one call waits in the closure, others go on.
/// - Lifetime: Sequences end when the service is released.
public actor InMemoryUsersService: UsersService {
    /// Runs before a call: throws what it is to throw, or waits for as long as it is to last.
    public typealias Hook = @Sendable () async throws(UsersServiceError) -> Void

    /// What there is now.
    public private(set) var snapshot: UsersSnapshot

    private let now: @Sendable () -> Date
    private let hook: Hook
    private var readers: [AsyncStream<Result<UsersSnapshot, UsersServiceError>>.Continuation] = []

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - users: Who is there at the beginning, and who isn't, each id once.
    ///   - now: The date of an arrival or a departure.
    ///   - hook: Runs before each call but ``presence()``. The default does nothing.
    public init(
        _ users: [User] = [],
        now: @escaping @Sendable () -> Date = { .now },
        hook: @escaping Hook = { () throws(UsersServiceError) in }
    ) {
        snapshot = UsersSnapshot(users: users, revision: 1)
        (self.now, self.hook) = (now, hook)
    }

    deinit {
        for reader in readers { reader.finish() }
    }

    /// Returns who is there, and who isn't.
    ///
    /// - Returns: The users as they are now.
    /// - Throws: What the hook throws.
    public func users() async throws(UsersServiceError) -> UsersSnapshot {
        try await hook()
        return snapshot
    }

    /// Notes that somebody has come.
    ///
    /// - Parameter name: Who has come.
    /// - Returns: The user, and whether that is news.
    /// - Throws: What the hook throws; nothing is changed then.
    public func arrive(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        try await hook()
        var user =
            snapshot.users.first { $0.id == name.id }
            ?? User(id: name.id, name: name.text, presence: .offline, since: now())
        let isNews = user.presence == .offline
        user.name = name.text
        if isNews { (user.presence, user.since) = (.online, now()) }
        put(user)
        return Passage(user, isNews: isNews)
    }

    /// Notes that somebody has gone.
    ///
    /// - Parameter name: Who has gone.
    /// - Returns: The user, and whether that is news.
    /// - Throws: What the hook throws, or that nobody of this name has ever come; nothing is changed then.
    public func leave(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        try await hook()
        guard var user = snapshot.users.first(where: { $0.id == name.id }) else {
            throw UsersServiceError(.unknown(name.text), file: "memory")
        }
        let isNews = user.presence == .online
        if isNews { (user.presence, user.since) = (.offline, now()) }
        put(user)
        return Passage(user, isNews: isNews)
    }

    /// Who is there now, and then whenever that has changed.
    ///
    /// - Returns: A sequence for one reader.
    public func presence() -> AsyncStream<Result<UsersSnapshot, UsersServiceError>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Result<UsersSnapshot, UsersServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        readers.append(reader)
        reader.yield(.success(snapshot))
        return stream
    }

    /// Changes everything at once, as another process would, and tells the readers.
    ///
    /// - Parameters:
    ///   - users: Who is there, and who isn't, each id once.
    ///   - damages: What can't be read.
    public func change(to users: [User], damages: [UsersServiceError] = []) {
        guard users != snapshot.users || damages != snapshot.damages else { return }
        snapshot = UsersSnapshot(users: users, damages: damages, revision: snapshot.revision + 1)
        readers.removeAll { reader in
            if case .terminated = reader.yield(.success(snapshot)) { true } else { false }
        }
    }

    /// Tells the readers that there is nothing to be seen any more, and ends their sequences.
    ///
    /// - Parameter error: What they get.
    public func fail(_ error: UsersServiceError) {
        for reader in readers {
            reader.yield(.failure(error))
            reader.finish()
        }
        readers = []
    }

    private func put(_ user: User) {
        var users = snapshot.users
        if let index = users.firstIndex(where: { $0.id == user.id }) { users[index] = user } else { users.append(user) }
        change(to: users, damages: snapshot.damages)
    }
}
