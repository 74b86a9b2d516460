/// A session that is kept in memory, for tests and previews.
public actor InMemorySessionService: SessionService {
    /// Runs before a call. It may delay the call, or make it fail.
    public typealias Hook = @Sendable () async throws(ProfileServiceError) -> Void

    /// The folder of the data while nobody is signed in.
    public nonisolated let commonFolder = "common"

    /// The profile that is signed in, or nil for none. Its folder has the same name.
    public private(set) var profile: Profile?

    private let hook: Hook
    private let changes = InMemoryChanges<Profile?>()

    /// Creates a service.
    public init(_ name: ProfileName? = nil, hook: @escaping Hook = { () throws(ProfileServiceError) in }) {
        profile = name.map(Self.profile)
        self.hook = hook
    }

    /// Returns the profile that is signed in.
    public func current() async throws(ProfileServiceError) -> Profile? {
        do throws(ProfileServiceError) {
            try await hook()
        } catch {
            changes.noteFailure()
            throw error
        }
        changes.noteTold()
        return profile
    }

    /// Signs a profile in.
    public func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile {
        try await hook()
        let profile = Self.profile(name)
        write(profile)
        changes.noteTold()
        return profile
    }

    /// Signs the current profile out.
    public func signOut() async throws(ProfileServiceError) {
        try await hook()
        write(nil)
        changes.noteTold()
    }

    /// The changes made by ``changeElsewhere(_:)`` since a call returned last, and failures from now on.
    public func changesElsewhere() -> AsyncStream<Result<Profile?, ProfileServiceError>> {
        // Unbounded, so that a value never replaces a failure that hasn't been read, or the reverse.
        changes.stream(of: profile, .unbounded)
    }

    /// Signs a profile in or out as another process would, and notifies the readers.
    public func changeElsewhere(_ name: ProfileName?) {
        write(name.map(Self.profile))
        changes.tell(.success(profile))
    }

    /// Notifies the readers that another process's changes can't be read.
    public func failElsewhere(_ error: ProfileServiceError) {
        changes.tell(.failure(error))
    }

    private func write(_ profile: Profile?) {
        self.profile = profile
        changes.note()
    }

    private static func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: name.text)
    }
}
