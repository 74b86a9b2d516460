/// The memory of a tutorial in one file next to the list, safe for use by several processes at once.
///
/// The file is `tutorial.json`, a JSON object with the format, its version, and what is remembered. It is replaced
/// atomically, under a lock on `tutorial.lock` that a turn holds. The system releases the lock when the process ends.
///
/// - Isolation: None. Files are accessed on a dispatch queue of the service. Waiting for the lock doesn't block a
///   thread.
/// - Cancellation: Cancelling the task ends its wait for a turn.
public final class FileTutorialService: TutorialService {
    private let access: ProfileFile<TutorialRecord>

    /// The path of the file.
    public var file: String { access.path }

    /// Creates a service for a folder. Nothing is read or created yet. The first turn creates the folder if necessary.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - lockLimit: How long to wait for a turn. The default is 10 seconds.
    ///   - clock: The clock that measures the waiting.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        access = ProfileFile(folder: folder, name: "tutorial", lockLimit: lockLimit, clock: clock, system: system)
    }

    /// Reads the file. If there is no file, the tutorial is untouched.
    ///
    /// - Throws: If the file can't be read.
    public func memory() async throws(ProfileServiceError) -> TutorialMemory {
        let version = try await access.perform { (access) throws(ProfileServiceError) in try access.read() }
        return version.document?.memory ?? .untouched
    }

    /// Acquires the lock and reads the file.
    ///
    /// - Returns: The turn, which holds the lock.
    /// - Throws: If the file can't be read or the lock can't be acquired.
    public func begin() async throws(ProfileServiceError) -> TutorialTurn {
        let lock = try await access.locked()
        let memory = try await memory()
        return TutorialTurn(memory: memory) { [access] (memory) throws(ProfileServiceError) in
            _ = try await access.update(under: lock) { _ in TutorialRecord(memory: memory) }
        }
    }
}
