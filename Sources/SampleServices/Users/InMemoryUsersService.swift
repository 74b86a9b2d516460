public import Foundation

/// Users that are kept in memory, for tests and previews.
///
/// A closure that runs before each read, arrival, and departure lets a test make it fail or delay it.
///
/// - Reentrancy: While a call waits in the closure, others proceed.
/// - Lifetime: Sequences end when the service is released.
public actor InMemoryUsersService: UsersService {
    /// Runs before a call. The call throws any error that the hook throws, and takes as long as the hook waits.
    public typealias Hook = @Sendable () async throws(UsersServiceError) -> Void

    /// The current users.
    public private(set) var snapshot: UsersSnapshot

    private let now: @Sendable () -> Date
    private let hook: Hook
    private var readers: [AsyncStream<Result<UsersSnapshot, UsersServiceError>>.Continuation] = []

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - users: The initial users, online and offline. Each id must occur once.
    ///   - now: Returns the date of an arrival or departure.
    ///   - hook: Runs before each call except ``presence()``. The default does nothing.
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

    /// Returns all users, online and offline.
    ///
    /// - Throws: Any error that the hook throws.
    public func users() async throws(UsersServiceError) -> UsersSnapshot {
        try await hook()
        return snapshot
    }

    /// Records a user's arrival.
    ///
    /// - Returns: The user, and whether the presence changed.
    /// - Throws: Any error that the hook throws. In that case nothing is changed.
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

    /// Records a user's departure.
    ///
    /// - Returns: The user, and whether the presence changed.
    /// - Throws: Any error that the hook throws, or ``UsersServiceError/Reason/unknown(_:)`` if the user has never
    ///   arrived. In both cases nothing is changed.
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

    /// The current users, and then every change.
    ///
    /// - Returns: A sequence for a single reader.
    public func presence() -> AsyncStream<Result<UsersSnapshot, UsersServiceError>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Result<UsersSnapshot, UsersServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        readers.append(reader)
        reader.yield(.success(snapshot))
        return stream
    }

    /// Replaces all users at once, as another process would, and notifies the readers.
    ///
    /// - Parameters:
    ///   - users: The users, online and offline. Each id must occur once.
    ///   - damages: What can't be read.
    public func change(to users: [User], damages: [UsersServiceError] = []) {
        guard users != snapshot.users || damages != snapshot.damages else { return }
        snapshot = UsersSnapshot(users: users, damages: damages, revision: snapshot.revision + 1)
        readers.removeAll { reader in
            if case .terminated = reader.yield(.success(snapshot)) { true } else { false }
        }
    }

    /// Notifies the readers that the users can't be followed any further, and ends their sequences.
    ///
    /// - Parameter error: The error that the readers receive.
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
