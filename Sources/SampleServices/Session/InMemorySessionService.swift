/// A session that lasts as long as the process: for tests and previews.
///
/// A closure, run before each call, lets a test make it fail, or hold it until it lets it go on.
public actor InMemorySessionService: SessionService {
    /// Runs before a call: throws what that is to throw.
    public typealias Hook = @Sendable () async throws(ProfileServiceError) -> Void

    /// The folder of the data while nobody is signed in.
    public nonisolated let commonFolder = "common"

    /// Who is signed in; nil for nobody.
    public private(set) var profile: Profile?

    private let hook: Hook

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - name: Who is signed in at the beginning. The default is nobody.
    ///   - hook: Runs before each call. The default does nothing.
    public init(_ name: ProfileName? = nil, hook: @escaping Hook = { () throws(ProfileServiceError) in }) {
        profile = name.map(Self.profile)
        self.hook = hook
    }

    /// Who is signed in.
    ///
    /// - Returns: The profile, or nil where nobody is.
    /// - Throws: What the hook throws.
    public func current() async throws(ProfileServiceError) -> Profile? {
        try await hook()
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
        self.profile = profile
        return profile
    }

    /// Notes that nobody is signed in.
    ///
    /// - Throws: What the hook throws; nothing is changed then.
    public func signOut() async throws(ProfileServiceError) {
        try await hook()
        profile = nil
    }

    private static func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: name.text)
    }
}
