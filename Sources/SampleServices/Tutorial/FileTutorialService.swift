/// What is remembered of a tutorial, in one file beside the list, which several processes may use at once.
///
/// The file is `tutorial.json`, a JSON object with format, version and what is remembered. It is replaced as a whole,
/// under a lock on `tutorial.lock`, which a turn holds; the system drops that with the process.
///
/// - Isolation: None. Files are touched on a dispatch queue of the service; waiting for the lock occupies no thread.
/// - Cancellation: Waiting for a turn ends with it.
public final class FileTutorialService: TutorialService {
    private let access: ProfileFile<TutorialRecord>

    /// The path of the file.
    public var file: String { access.path }

    /// Makes a service for a folder. Nothing is read or made yet; the first turn makes the folder if need be.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - lockLimit: How long to wait for a turn. The default is 10 seconds.
    ///   - clock: What the waiting is measured on.
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

    /// Reads the file. Where there is none nothing is remembered.
    ///
    /// - Returns: What the file says.
    /// - Throws: What kept the file from being read.
    public func memory() async throws(ProfileServiceError) -> TutorialMemory {
        let version = try await access.perform { (access) throws(ProfileServiceError) in try access.read() }
        return version.document?.memory ?? .untouched
    }

    /// Takes the lock, and reads the file.
    ///
    /// - Returns: The turn, which holds the lock.
    /// - Throws: What kept the file from being read, or the lock from being taken.
    public func begin() async throws(ProfileServiceError) -> TutorialTurn {
        let lock = try await access.locked()
        let memory = try await memory()
        return TutorialTurn(memory: memory) { [access] (memory) throws(ProfileServiceError) in
            _ = try await access.update(under: lock) { _ in TutorialRecord(memory: memory) }
        }
    }
}
