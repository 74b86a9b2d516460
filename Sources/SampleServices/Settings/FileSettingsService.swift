/// Settings in one file of a folder, safe for use by several processes at once.
///
/// The file is `settings.json`, a JSON object with the format, its version, and the settings. A save merges its changes
/// into the current contents and replaces the file atomically, under a lock. A file that can't be read completely isn't
/// written to.
///
/// - Lifetime: A sequence of changes outlives the service for as long as it has a reader.
public final class FileSettingsService: SettingsService {
    private let access: StoredFile<SettingsRecord>

    /// The path of the file.
    public var file: String { access.path }

    /// Creates a service for a folder. Nothing is read or created yet. The first save creates the folder if necessary.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        access = StoredFile(
            path: FileSystem.path(of: "settings.json", in: folder), lock: "settings.lock", lockLimit: lockLimit,
            clock: clock, system: system)
    }

    /// Reads the file. If there is no file, all settings have their defaults.
    public func load() async throws(ProfileServiceError) -> SettingsSnapshot {
        SettingsSnapshot(try await access.perform { (access) throws(ProfileServiceError) in try access.read() })
    }

    /// Merges changes into the file.
    public func save(_ changes: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot {
        SettingsSnapshot(
            try await access.update { record in
                if record == nil, changes.isEmpty { return .keep }
                let new = SettingsRecord(settings: changes.applied(to: record?.settings ?? UserSettings()))
                return new == record ? .keep : .write(new)
            })
    }

    /// The versions of the file that other processes write. A missing folder is created.
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
    fileprivate init(_ version: StoredFile<SettingsRecord>.Version) {
        self.init(settings: version.document?.settings ?? UserSettings(), revision: version.revision)
    }
}
