/// Settings that are kept in memory, for tests and previews.
public actor InMemorySettingsService: SettingsService {
    /// Runs before a load, with nil, or before a save, with its changes. It may delay the call, or make it fail.
    public typealias Hook = @Sendable (SettingsChanges?) async throws(ProfileServiceError) -> Void

    /// The stored settings.
    public private(set) var settings: UserSettings

    /// The changes of each successful save, oldest first.
    public private(set) var saves: [SettingsChanges] = []

    private let hook: Hook
    private let changes = InMemoryChanges<SettingsSnapshot>()

    /// Creates a service.
    public init(
        _ settings: UserSettings = UserSettings(),
        hook: @escaping Hook = { (_) throws(ProfileServiceError) in }
    ) {
        self.settings = settings
        self.hook = hook
    }

    private var snapshot: SettingsSnapshot { SettingsSnapshot(settings: settings, revision: changes.revision) }

    /// Returns the stored settings.
    public func load() async throws(ProfileServiceError) -> SettingsSnapshot {
        try await hook(nil)
        changes.noteTold()
        return snapshot
    }

    /// Merges changes into the stored settings.
    public func save(_ new: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot {
        try await hook(new)
        saves.append(new)
        settings = new.applied(to: settings)
        changes.note()
        changes.noteTold()
        return snapshot
    }

    /// The changes made by ``changeElsewhere(_:)`` since the last load or save, and failures from now on.
    public func changesElsewhere() -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>> {
        changes.stream(of: snapshot)
    }

    /// Changes the stored settings as another process would, and notifies the readers.
    public func changeElsewhere(_ new: SettingsChanges) {
        settings = new.applied(to: settings)
        changes.note()
        changes.tell(.success(snapshot))
    }

    /// Notifies the readers that another process's changes can't be read.
    public func failElsewhere(_ error: ProfileServiceError) {
        changes.tell(.failure(error))
    }
}
