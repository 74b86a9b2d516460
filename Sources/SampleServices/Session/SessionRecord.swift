/// Which profile is signed in, as it is stored.
struct SessionRecord: JSONStored {
    static let fileStem = "session"
    static let format = "relux-session"
    static let version = 1
    static let kind = "a session"

    /// The name of the profile that is signed in, or nil if nobody is.
    private(set) var name: ProfileName?

    private enum CodingKeys: String, CodingKey {
        case name = "profile"
    }

    init() {}

    init(_ name: ProfileName?) {
        self.name = name
    }

    /// Signs a profile in, or the present one out.
    mutating func apply(_ name: ProfileName?) {
        self.name = name
    }
}

extension StorageService<SessionRecord> {
    /// The changes made elsewhere, as profiles.
    func profilesElsewhere(
        _ profile: @escaping @Sendable (ProfileName) -> Profile
    ) async -> AsyncStream<Result<Profile?, StorageError>> {
        let changes = await changesElsewhere()
        return AsyncStream {
            var iterator = changes.makeAsyncIterator()
            return await iterator.next()?.map { $0.value.name.map(profile) }
        }
    }
}
