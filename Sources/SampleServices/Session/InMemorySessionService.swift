/// A session that is kept in memory, for tests and previews.
///
/// A closure that runs before each call lets a test make it fail or delay it.
///
/// - Lifetime: Sequences of changes end when the service is released.
public actor InMemorySessionService: SessionService {
    /// Runs before a call. The call throws any error that the hook throws.
    public typealias Hook = @Sendable () async throws(ProfileServiceError) -> Void

    /// The folder of the data while nobody is signed in.
    public nonisolated let commonFolder = "common"

    /// The profile that is signed in, or nil for none.
    public private(set) var profile: Profile?

    private let hook: Hook
    private var revision = 1
    /// The revision that a call returned last, or nil if there was none yet.
    private var toldRevision: Int?
    private var readers: [AsyncStream<Result<Profile?, ProfileServiceError>>.Continuation] = []

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - name: The profile that is signed in initially. The default is none.
    ///   - hook: Runs before each call. The default does nothing.
    public init(_ name: ProfileName? = nil, hook: @escaping Hook = { () throws(ProfileServiceError) in }) {
        profile = name.map(Self.profile)
        self.hook = hook
    }

    deinit {
        for reader in readers { reader.finish() }
    }

    /// Returns the profile that is signed in.
    ///
    /// - Returns: The profile, or nil if nobody is signed in.
    /// - Throws: Any error that the hook throws.
    public func current() async throws(ProfileServiceError) -> Profile? {
        do throws(ProfileServiceError) {
            try await hook()
        } catch {
            // A failed call has returned nothing, so the first profile must be reported as a change.
            toldRevision = toldRevision ?? 0
            throw error
        }
        toldRevision = revision
        return profile
    }

    /// Signs a profile in.
    ///
    /// - Returns: The profile. Its folder has the same name.
    /// - Throws: Any error that the hook throws. In that case nothing is changed.
    public func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile {
        try await hook()
        let profile = Self.profile(name)
        write(profile)
        toldRevision = revision
        return profile
    }

    /// Signs the current profile out.
    ///
    /// - Throws: Any error that the hook throws. In that case nothing is changed.
    public func signOut() async throws(ProfileServiceError) {
        try await hook()
        write(nil)
        toldRevision = revision
    }

    /// The changes made by ``changeElsewhere(_:)`` since a call returned last, and failures from now on.
    ///
    /// - Returns: A sequence for a single reader.
    public func changesElsewhere() -> AsyncStream<Result<Profile?, ProfileServiceError>> {
        // Unbounded, so that a value never replaces a failure that hasn't been read, or the reverse.
        let (stream, reader) = AsyncStream.makeStream(of: Result<Profile?, ProfileServiceError>.self)
        readers.append(reader)
        if let toldRevision, toldRevision != revision { reader.yield(.success(profile)) }
        return stream
    }

    /// Signs a profile in or out as another process would, and notifies the readers.
    ///
    /// - Parameter name: The profile that is signed in from now on, or nil for none.
    public func changeElsewhere(_ name: ProfileName?) {
        write(name.map(Self.profile))
        tell(.success(profile))
    }

    /// Notifies the readers that another process's changes can't be read.
    ///
    /// - Parameter error: The error that the readers receive.
    public func failElsewhere(_ error: ProfileServiceError) {
        tell(.failure(error))
    }

    private func write(_ profile: Profile?) {
        self.profile = profile
        revision += 1
    }

    private func tell(_ change: Result<Profile?, ProfileServiceError>) {
        readers.removeAll { reader in
            if case .terminated = reader.yield(change) { true } else { false }
        }
    }

    private static func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: name.text)
    }
}
