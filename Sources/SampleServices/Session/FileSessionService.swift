import Foundation

/// The session in a file of the data folder, and each profile in a folder below it.
///
/// The file is `session.json`, a JSON object with format, version and the name of the profile; where there is none,
/// nobody is signed in. A profile's folder is `profiles/NAME`.
///
/// - Isolation: None. Files are touched on a dispatch queue of the service; waiting for the lock occupies no thread.
/// - Cancellation: Signing in or out gives up while it waits for the lock, and not later.
/// - Lifetime: Sequences of changes outlive the service as long as somebody reads them. Each holds one open file, and
///   closes it when it ends.
public final class FileSessionService: SessionService {
    /// The path of the data folder.
    public let commonFolder: String

    private let file: ProfileFile<SessionRecord>
    private let clock: any Clock<Duration>
    private let whenClosed: (@Sendable () -> Void)?

    /// Makes a service for a data folder. Nothing is read or made yet; signing in, or who follows, makes the folder if
    /// need be.
    ///
    /// - Parameters:
    ///   - folder: The path of the data folder.
    ///   - lockLimit: How long to wait for the lock. The default is 10 seconds.
    ///   - clock: What the waiting is measured on, and the end of a burst of changes.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    // `whenClosed` is told when a sequence holds nothing of the system any more.
    init(
        folder: String,
        lockLimit: Duration,
        clock: any Clock<Duration>,
        system: FileSystem,
        whenClosed: (@Sendable () -> Void)? = nil
    ) {
        commonFolder = folder
        (self.clock, self.whenClosed) = (clock, whenClosed)
        file = ProfileFile(folder: folder, name: "session", lockLimit: lockLimit, clock: clock, system: system)
    }

    /// Reads the file. Where there is none nobody is signed in.
    ///
    /// - Returns: The profile, or nil.
    /// - Throws: What kept the file from being read.
    public func current() async throws(ProfileServiceError) -> Profile? {
        profile(try await file.perform { (file) throws(ProfileServiceError) in try file.read().document?.name })
    }

    /// Makes the folder of the profile, and writes the file.
    ///
    /// - Parameter name: The name of the profile.
    /// - Returns: The profile.
    /// - Throws: What kept the folder from being made, or the file from being written.
    public func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile {
        let profile = profile(name)
        try await file.perform { (_) throws(ProfileServiceError) in
            do throws(SystemError) {
                try FileSystem.makeFolder(profile.folder)
            } catch {
                throw ProfileServiceError(error, .folder, file: profile.folder)
            }
        }
        _ = try await file.update { _ in SessionRecord(name: name) }
        return profile
    }

    /// Removes the file.
    ///
    /// - Throws: What kept it from being removed. One that can't be read stays.
    public func signOut() async throws(ProfileServiceError) {
        let isAnybodyThere = try await file.perform { (file) throws(ProfileServiceError) in
            try file.look().version.document != nil
        }
        // Where nobody is signed in nothing is made, not even a folder.
        if isAnybodyThere {
            _ = try await file.update { _ in nil }
        } else {
            _ = try await current()
        }
    }

    /// Follows the file, a burst of changes at a time. The folder is made if need be.
    ///
    /// - Returns: A sequence for one reader.
    public func changesElsewhere() async -> AsyncStream<Result<Profile?, ProfileServiceError>> {
        let bursts = Bursts(pause: .milliseconds(50), limit: .milliseconds(500), clock: clock)
        do throws(ProfileServiceError) {
            let whenClosed = whenClosed
            let follower = try await file.perform { (file) throws(ProfileServiceError) in
                try file.makeFolder()
                return try SessionFollower(file, bursts, whenClosed: whenClosed)
            }
            return AsyncStream { [self] in
                await follower.next()?.map(profile)
            }
        } catch {
            return AsyncStream { continuation in
                continuation.yield(.failure(error))
                continuation.finish()
            }
        }
    }

    private func profile(_ name: ProfileName?) -> Profile? { name.map(profile) }

    private func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: "\(commonFolder)/profiles/\(name)")
    }
}
