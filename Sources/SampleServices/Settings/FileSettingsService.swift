/// Settings in one file of a folder, which several processes may use at once.
///
/// The file is `settings.json`, a JSON object with format, version and the settings. A save merges its changes into
/// what stands there at that moment and replaces the file as a whole, under a lock. A file that can't be read entirely
/// isn't written to.
///
/// - Isolation: None. Files are touched on a dispatch queue of the service; waiting for the lock occupies no thread.
/// - Cancellation: A save gives up while it waits for the lock, and not later.
/// - Lifetime: Sequences of changes outlive the service as long as somebody reads them.
public final class FileSettingsService: SettingsService {
    private let access: ProfileFile<SettingsRecord>

    /// The path of the file.
    public var file: String { access.path }

    /// Makes a service for a folder. Nothing is read or made yet; the first save makes the folder if need be.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - lockLimit: How long a save waits for the lock. The default is 10 seconds.
    ///   - clock: What the waiting is measured on.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        access = ProfileFile(folder: folder, name: "settings", lockLimit: lockLimit, clock: clock, system: system)
    }

    /// Reads the file. Where there is none nothing has been chosen.
    ///
    /// - Returns: The settings in the file.
    /// - Throws: What kept the file from being read.
    public func load() async throws(ProfileServiceError) -> SettingsSnapshot {
        SettingsSnapshot(try await access.perform { (access) throws(ProfileServiceError) in try access.read() })
    }

    /// Merges changes into the file.
    ///
    /// - Parameter changes: What is to be otherwise.
    /// - Returns: What the file holds now.
    /// - Throws: What kept the file from being read or written, or the lock from being taken.
    public func save(_ changes: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot {
        SettingsSnapshot(
            try await access.update { record in
                if record == nil, changes.isEmpty { return nil }
                return SettingsRecord(settings: changes.applied(to: record?.settings ?? UserSettings()))
            })
    }

    /// The versions of the file that others write. The folder is made if need be.
    ///
    /// - Returns: A sequence for one reader.
    public func changesElsewhere() async -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Result<SettingsSnapshot, ProfileServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        await access.changesElsewhere(in: continuation) { SettingsSnapshot($0) }
        return stream
    }
}

extension SettingsSnapshot {
    fileprivate init(_ version: ProfileFile<SettingsRecord>.Version) {
        self.init(settings: version.document?.settings ?? UserSettings(), revision: version.revision)
    }
}
