public import Foundation

/// Users in a folder of presence files, safe for use by several processes at once.
///
/// Each user has one file, such as `users/ann.json`: a JSON object with the format, its version, the name, the
/// presence, and the date of the last change of presence. A writer replaces the file atomically, under a lock on
/// `.lock` in the same folder, which the system releases when the process ends. Reading needs no lock. A file that
/// isn't a valid presence is reported, doesn't hide other users, and isn't written to. Files with other extensions are
/// ignored.
///
/// - Lifetime: A sequence outlives the service for as long as it has a reader. It holds one open file, which is closed
///   when the sequence ends.
public final class FileUsersService: UsersService {
    /// The rules that group changes into bursts.
    public struct Calm: Sendable, Hashable {
        /// How long no change must occur before a burst ends.
        public var pause: Duration

        /// The maximum duration of a burst, after which it is reported even if changes continue.
        public var limit: Duration

        /// Creates rules.
        public init(pause: Duration = .milliseconds(50), limit: Duration = .milliseconds(500)) {
            self.pause = pause
            self.limit = limit
        }
    }

    /// The path of the folder of presence files.
    public let folder: String

    private let calm: Calm
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let whenClosed: (@Sendable () -> Void)?
    private let access: PresenceFolder

    /// Creates a service for the folder `users` of a data folder. Nothing is read or created yet. The first arrival or
    /// the first sequence creates the folder if necessary.
    public convenience init(
        folder: String,
        calm: Calm = Calm(),
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.init(folder: folder, calm: calm, lockLimit: lockLimit, clock: clock, now: now, whenClosed: nil)
    }

    // `whenClosed` is called when a sequence has released all system resources.
    init(
        folder: String,
        calm: Calm = Calm(),
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { .now },
        system: FileSystem = .live,
        whenClosed: (@Sendable () -> Void)?
    ) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "users")
            .path(percentEncoded: false)
        (self.calm, self.lockLimit, self.clock, self.now) = (calm, lockLimit, clock, now)
        self.whenClosed = whenClosed
        access = PresenceFolder(path: self.folder, system: system)
    }

    /// Reads the files. If there is no folder, there are no users.
    public func users() async throws(UsersServiceError) -> UsersSnapshot {
        try await access.queue.perform { [access] () throws(UsersServiceError) in try access.read() }
    }

    /// Records a user's arrival. A missing folder is created.
    public func arrive(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        try await makeFolder()
        return try await note(name, .online)
    }

    /// Records a user's departure.
    public func leave(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        // Without a folder there are no users, and no place for a lock file.
        let isThere = try await access.queue.perform { [folder] () throws(UsersServiceError) in
            do throws(SystemError) {
                return try FileStamp(path: folder) != nil
            } catch {
                throw StorageError(error, .folder, file: folder)
            }
        }
        guard isThere else { throw UsersServiceError(.unknown(name.text), file: folder) }
        return try await note(name, .offline)
    }

    /// Follows the files. A missing folder is created.
    public func presence() async -> AsyncStream<Result<UsersSnapshot, UsersServiceError>> {
        do throws(UsersServiceError) {
            try await makeFolder()
            let bursts = Bursts(pause: calm.pause, limit: calm.limit, clock: clock)
            let told = Lock<UsersSnapshot?>(nil)
            let follower = try FolderFollower<UsersSnapshot>(
                folder, queue: access.queue, bursts, whenClosed: whenClosed
            ) { [self] in
                do throws(UsersServiceError) {
                    let now = try await users()
                    let isNews = told.withLock { told in
                        defer { told = now }
                        return told != now
                    }
                    return isNews ? .news(.success(now)) : .nothing
                } catch {
                    return .end(error)
                }
            }
            return AsyncStream { await follower.next() }
        } catch {
            return .failed(error)
        }
    }

    private func note(_ name: User.Name, _ presence: User.Presence) async throws(UsersServiceError) -> Passage {
        let lock = try await FileLock.acquired(path: folder + "/.lock", within: lockLimit, on: clock)
        let date = now()
        return try await access.queue.perform { [access] () throws(UsersServiceError) in
            try withExtendedLifetime(lock) { () throws(UsersServiceError) in
                try access.note(name, presence, at: date)
            }
        }
    }

    private func makeFolder() async throws(UsersServiceError) {
        try await access.queue.perform { [folder] () throws(UsersServiceError) in
            try FileSystem.makeDataFolder(folder)
        }
    }
}
