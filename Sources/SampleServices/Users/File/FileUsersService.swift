public import Foundation

/// Users in a folder of presence files, which several processes may use at once.
///
/// Each user has one file there, as in `users/ann.json`: a JSON object with format, version, name, presence and the
/// date since when it is so. Whoever writes one replaces it as a whole, under a lock on `.lock` beside it that the
/// system drops with the process. Reading needs no lock. A file that holds no user is told of, hides nobody else, and
/// isn't written to. Files with other endings don't matter.
///
/// - Isolation: None. Files are touched on a dispatch queue of the service; waiting for the lock occupies no thread.
/// - Cancellation: Who comes or goes gives up while waiting for the lock, and not later.
/// - Lifetime: Sequences outlive the service as long as somebody reads them. Each holds one open file, and closes it
///   when it ends.
public final class FileUsersService: UsersService {
    /// How a burst of changes is told from others.
    public struct Calm: Sendable, Hashable {
        /// For how long nothing has to change before a burst is over.
        public var pause: Duration

        /// For how long a burst may last before it is told all the same.
        public var limit: Duration

        /// Makes a calm.
        ///
        /// - Parameters:
        ///   - pause: For how long nothing has to change before a burst is over.
        ///   - limit: For how long a burst may last before it is told all the same.
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

    /// Makes a service for the folder `users` of a data folder. Nothing is read or made yet; the first arrival, or who
    /// follows, makes the folder if need be.
    ///
    /// - Parameters:
    ///   - folder: The path of the data folder.
    ///   - calm: How a burst of changes is told from others.
    ///   - lockLimit: How long an arrival or a departure waits for the lock. The default is 10 seconds.
    ///   - clock: What bursts and waiting are measured on.
    ///   - now: The date of an arrival or a departure.
    public convenience init(
        folder: String,
        calm: Calm = Calm(),
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.init(folder: folder, calm: calm, lockLimit: lockLimit, clock: clock, now: now, whenClosed: nil)
    }

    // `whenClosed` is told when a sequence holds nothing of the system any more.
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

    /// Reads the files. Where there is no folder there is nobody.
    ///
    /// - Returns: The users as they are now.
    /// - Throws: What kept the folder from being listed.
    /// - Complexity: O(*n*) in the number of users; a file that has been seen isn't read again.
    public func users() async throws(UsersServiceError) -> UsersSnapshot {
        try await access.queue.perform { [access] () throws(UsersServiceError) in try access.read() }
    }

    /// Writes that somebody has come. The folder is made if need be.
    ///
    /// - Parameter name: Who has come.
    /// - Returns: The user, and whether that is news.
    /// - Throws: What kept the file from being read or written, or the lock from being taken.
    public func arrive(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        try await makeFolder()
        return try await note(name, .online)
    }

    /// Writes that somebody has gone.
    ///
    /// - Parameter name: Who has gone.
    /// - Returns: The user, and whether that is news.
    /// - Throws: What kept the file from being read or written, or the lock from being taken;
    ///   ``UsersServiceError/Reason/unknown(_:)`` where that user has no file.
    public func leave(_ name: User.Name) async throws(UsersServiceError) -> Passage {
        // Nobody has been where there is no folder, and no lock either.
        let isThere = try await access.queue.perform { [folder] () throws(UsersServiceError) in
            do throws(SystemError) {
                return try FileStamp(path: folder) != nil
            } catch {
                throw error.usersError(.folder, file: folder)
            }
        }
        guard isThere else { throw UsersServiceError(.unknown(name.text), file: folder) }
        return try await note(name, .offline)
    }

    /// Follows the files. The folder is made if need be.
    ///
    /// - Returns: A sequence for one reader.
    public func presence() async -> AsyncStream<Result<UsersSnapshot, UsersServiceError>> {
        do throws(UsersServiceError) {
            try await makeFolder()
            let bursts = Bursts(pause: calm.pause, limit: calm.limit, clock: clock)
            let follower = try PresenceFollower(access, bursts, whenClosed: whenClosed)
            return AsyncStream { await follower.next() }
        } catch {
            let (stream, continuation) = AsyncStream.makeStream(of: Result<UsersSnapshot, UsersServiceError>.self)
            continuation.yield(.failure(error))
            continuation.finish()
            return stream
        }
    }

    private func note(_ name: User.Name, _ presence: User.Presence) async throws(UsersServiceError) -> Passage {
        let lock = try await lock()
        let date = now()
        return try await access.queue.perform { [access] () throws(UsersServiceError) in
            try withExtendedLifetime(lock) { () throws(UsersServiceError) in
                try access.note(name, presence, at: date)
            }
        }
    }

    private func lock() async throws(UsersServiceError) -> FileLock {
        let path = folder + "/.lock"
        do {
            return try await FileLock.taken(path: path, within: lockLimit, on: clock)
        } catch {
            switch error {
            case .held(let waited): throw UsersServiceError(.locked(waited: waited), file: path)
            case .cancelled: throw UsersServiceError(.cancelled, file: path)
            case .system(let error): throw error.usersError(.lock, file: path)
            }
        }
    }

    private func makeFolder() async throws(UsersServiceError) {
        try await access.queue.perform { [folder] () throws(UsersServiceError) in
            do throws(SystemError) {
                try FileSystem.makeFolder(folder)
            } catch {
                throw error.usersError(.folder, file: folder)
            }
        }
    }
}
