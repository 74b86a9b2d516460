/// A session that is kept in memory, for tests and previews.
public struct InMemorySessionService: SessionService {
    /// Runs before a call. It may delay the call, or make it fail.
    public typealias Hook = @Sendable () async throws(StorageError) -> Void

    /// The folder of the data while nobody is signed in.
    public let commonFolder = "common"

    private let storage: InMemoryService<SessionRecord>

    /// Creates a service. The folder of a profile has its name.
    public init(_ name: ProfileName? = nil, hook: @escaping Hook = { () throws(StorageError) in }) {
        storage = InMemoryService(
            SessionRecord(name), beforeLoad: hook, beforeSave: { (_) throws(StorageError) in try await hook() })
    }

    /// The profile that is signed in, or nil for none.
    public var profile: Profile? {
        get async { await storage.value.name.map(Self.profile) }
    }

    /// Returns the profile that is signed in.
    public func current() async throws(StorageError) -> Profile? {
        try await storage.load().value.name.map(Self.profile)
    }

    /// Signs a profile in.
    public func signIn(_ name: ProfileName) async throws(StorageError) -> Profile {
        _ = try await storage.save(name)
        return Self.profile(name)
    }

    /// Signs the current profile out.
    public func signOut() async throws(StorageError) {
        _ = try await storage.save(nil)
    }

    /// The changes made by ``changeElsewhere(_:)`` since a call returned last, and failures from now on.
    public func changesElsewhere() async -> AsyncStream<Result<Profile?, StorageError>> {
        await storage.profilesElsewhere(Self.profile)
    }

    /// Signs a profile in or out as another process would, and notifies the readers.
    public func changeElsewhere(_ name: ProfileName?) async {
        await storage.changeElsewhere(name)
    }

    /// Notifies the readers that another process's changes can't be read.
    public func failElsewhere(_ error: StorageError) async {
        await storage.failElsewhere(error)
    }

    private static func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: name.text)
    }
}
