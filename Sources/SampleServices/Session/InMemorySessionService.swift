/// A session that lasts as long as the process: for tests and previews.
///
/// A closure, run before each call, lets a test make it fail, or hold it until it lets it go on.
///
/// - Lifetime: Sequences of changes end when the service is released.
public actor InMemorySessionService: SessionService {
    /// Runs before a call: throws what that is to throw.
    public typealias Hook = @Sendable () async throws(ProfileServiceError) -> Void

    /// The folder of the data while nobody is signed in.
    public nonisolated let commonFolder = "common"

    /// Who is signed in; nil for nobody.
    public private(set) var profile: Profile?

    private let hook: Hook
    private var revision = 1
    /// What a call has returned last; nil for nothing yet.
    private var toldRevision: Int?
    private var readers: [AsyncStream<Result<Profile?, ProfileServiceError>>.Continuation] = []

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - name: Who is signed in at the beginning. The default is nobody.
    ///   - hook: Runs before each call. The default does nothing.
    public init(_ name: ProfileName? = nil, hook: @escaping Hook = { () throws(ProfileServiceError) in }) {
        profile = name.map(Self.profile)
        self.hook = hook
    }

    deinit {
        for reader in readers { reader.finish() }
    }

    /// Who is signed in.
    ///
    /// - Returns: The profile, or nil where nobody is.
    /// - Throws: What the hook throws.
    public func current() async throws(ProfileServiceError) -> Profile? {
        do throws(ProfileServiceError) {
            try await hook()
        } catch {
            // Who has asked in vain has seen nothing yet.
            toldRevision = toldRevision ?? 0
            throw error
        }
        toldRevision = revision
        return profile
    }

    /// Notes that somebody is signed in.
    ///
    /// - Parameter name: The name of the profile.
    /// - Returns: The profile. Its folder is called as it is.
    /// - Throws: What the hook throws; nothing is changed then.
    public func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile {
        try await hook()
        let profile = Self.profile(name)
        write(profile)
        toldRevision = revision
        return profile
    }

    /// Notes that nobody is signed in.
    ///
    /// - Throws: What the hook throws; nothing is changed then.
    public func signOut() async throws(ProfileServiceError) {
        try await hook()
        write(nil)
        toldRevision = revision
    }

    /// What ``changeElsewhere(_:)`` has changed since a call has returned last, and failures from now on.
    ///
    /// - Returns: A sequence for one reader.
    public func changesElsewhere() -> AsyncStream<Result<Profile?, ProfileServiceError>> {
        // What was told is no reason to keep a failure back, nor the other way round.
        let (stream, reader) = AsyncStream.makeStream(of: Result<Profile?, ProfileServiceError>.self)
        readers.append(reader)
        if let toldRevision, toldRevision != revision { reader.yield(.success(profile)) }
        return stream
    }

    /// Lets somebody sign in, or out, as another process would, and tells the readers.
    ///
    /// - Parameter name: Who is signed in from now on; nil for nobody.
    public func changeElsewhere(_ name: ProfileName?) {
        write(name.map(Self.profile))
        tell(.success(profile))
    }

    /// Tells the readers that what others have written down can't be read.
    ///
    /// - Parameter error: What they get.
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
