public import Foundation

/// Users that are kept in memory, for tests and previews.
///
/// - Reentrancy: While a call waits in the hook, others proceed.
public actor InMemoryUsersService: UsersService {
    /// Runs before each call except ``presence()``. It may delay the call, or make it fail.
    public typealias Hook = @Sendable () async throws(UsersServiceError) -> Void

    /// The current users.
    public private(set) var snapshot: UsersSnapshot

    private let now: @Sendable () -> Date
    private let hook: Hook
    private let changes = InMemoryChanges<UsersSnapshot>()

    /// Creates a service. Each id must occur once.
    public init(
        _ users: [User] = [],
        now: @escaping @Sendable () -> Date = { .now },
        hook: @escaping Hook = { () throws(UsersServiceError) in }
    ) {
        snapshot = UsersSnapshot(users: users, revision: 1)
        (self.now, self.hook) = (now, hook)
    }

    /// Returns all users, online and offline.
    public func users() async throws(UsersServiceError) -> UsersSnapshot {
        try await hook()
        return snapshot
    }

    /// Records a user's arrival.
    public func arrive(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        try await hook()
        let known = snapshot.users.first { $0.id == name.id }
        var user = known ?? User(id: name.id, name: name.text, presence: .offline, since: now())
        user.name = name.text
        return put(user, .online)
    }

    /// Records a user's departure.
    public func leave(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        try await hook()
        guard let user = snapshot.users.first(where: { $0.id == name.id }) else {
            throw UsersServiceError(.unknown(name.text), file: "memory")
        }
        return put(user, .offline)
    }

    /// The current users, and then every change.
    public func presence() -> AsyncStream<Result<UsersSnapshot, UsersServiceError>> {
        changes.stream(of: snapshot, isNews: true)
    }

    /// Replaces all users at once, as another process would, and notifies the readers.
    public func change(to users: [User], damages: [UsersServiceError] = []) {
        guard users != snapshot.users || damages != snapshot.damages else { return }
        snapshot = UsersSnapshot(users: users, damages: damages, revision: snapshot.revision + 1)
        changes.tell(.success(snapshot))
    }

    /// Notifies the readers that the users can't be followed any further, and ends their sequences.
    public func fail(_ error: UsersServiceError) {
        changes.fail(error)
    }

    private func put(_ user: User, _ presence: User.Presence) -> Passage {
        var user = user
        let isNews = user.presence != presence
        if isNews { (user.presence, user.since) = (presence, now()) }
        var users = snapshot.users
        if let index = users.firstIndex(where: { $0.id == user.id }) { users[index] = user } else { users.append(user) }
        change(to: users, damages: snapshot.damages)
        return Passage(user, isNews: isNews)
    }
}
