import Foundation

/// Stores the session in a file of the data folder, and each profile in a folder below it.
///
/// The file is `session.json`, a JSON object with the format, its version, and the name of the profile. If there is no
/// file, nobody is signed in. A profile's folder is `profiles/NAME`.
///
/// - Lifetime: A sequence of changes outlives the service for as long as it has a reader. It holds one open file, which
///   is closed when the sequence ends.
public final class FileSessionService: SessionService {
    /// The path of the data folder.
    public let commonFolder: String

    private let file: StoredFile<SessionRecord>
    private let clock: any Clock<Duration>
    private let whenClosed: (@Sendable () -> Void)?

    /// Creates a service for a data folder. Nothing is read or created yet. Signing in or following changes creates the
    /// folder if necessary.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    // `whenClosed` is called when a sequence has released all system resources.
    init(
        folder: String,
        lockLimit: Duration,
        clock: any Clock<Duration>,
        system: FileSystem,
        whenClosed: (@Sendable () -> Void)? = nil
    ) {
        commonFolder = folder
        (self.clock, self.whenClosed) = (clock, whenClosed)
        file = StoredFile(
            path: FileSystem.path(of: "session.json", in: folder), lock: "session.lock", lockLimit: lockLimit,
            clock: clock, system: system)
    }

    /// Reads the file. If there is no file, nobody is signed in.
    public func current() async throws(ProfileServiceError) -> Profile? {
        profile(try await file.perform { (file) throws(ProfileServiceError) in try file.read().document?.name })
    }

    /// Creates the folder of the profile and writes the file.
    public func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile {
        let profile = profile(name)
        try await file.perform { (_) throws(ProfileServiceError) in
            try FileSystem.makeDataFolder(profile.folder)
        }
        let record = SessionRecord(name: name)
        _ = try await file.update { $0 == record ? .keep : .write(record) }
        return profile
    }

    /// Removes the file.
    public func signOut() async throws(ProfileServiceError) {
        let isAnybodyThere = try await file.perform { (file) throws(ProfileServiceError) in
            try file.look().version.document != nil
        }
        // If nobody is signed in, nothing is created, not even a folder.
        if isAnybodyThere {
            _ = try await file.update { $0 == nil ? .keep : .remove }
        } else {
            _ = try await current()
        }
    }

    /// Follows the file, one burst of changes at a time. A missing folder is created.
    public func changesElsewhere() async -> AsyncStream<Result<Profile?, ProfileServiceError>> {
        let bursts = Bursts(pause: .milliseconds(50), limit: .milliseconds(500), clock: clock)
        let seen = Lock(SessionNews())
        do throws(ProfileServiceError) {
            try await file.perform { (file) throws(ProfileServiceError) in try file.makeFolder() }
            let follower = try FolderFollower<Profile?>(
                file.folder, queue: file.queue, bursts, whenClosed: whenClosed
            ) { [self] in
                do throws(ProfileServiceError) {
                    let (version, given) = try await file.perform { (file) throws(ProfileServiceError) in
                        try file.look()
                    }
                    let isNews = seen.withLock { $0.isNews(version.revision, given: given) }
                    return isNews ? .news(.success(profile(version.document?.name))) : .nothing
                } catch {
                    return seen.withLock { $0.isNews(error) } ? .news(.failure(error)) : .nothing
                }
            }
            return AsyncStream { await follower.next() }
        } catch {
            return .failed(error)
        }
    }

    private func profile(_ name: ProfileName?) -> Profile? { name.map(profile) }

    private func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: "\(commonFolder)/profiles/\(name)")
    }
}
