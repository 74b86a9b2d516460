/// Settings that are kept in memory, for tests and previews.
///
/// A closure that runs before each load and save lets a test make it fail or delay it.
///
/// - Reentrancy: While a load or save waits in its closure, others proceed.
/// - Lifetime: Sequences of changes end when the service is released.
public actor InMemorySettingsService: SettingsService {
    /// Runs before a load, with nil, or before a save, with its changes. The load or save throws any error that the
    /// hook throws.
    public typealias Hook = @Sendable (SettingsChanges?) async throws(ProfileServiceError) -> Void

    /// The stored settings.
    public private(set) var settings: UserSettings

    /// The changes of each successful save, oldest first.
    public private(set) var saves: [SettingsChanges] = []

    private let hook: Hook
    private var revision = 1
    /// The revision that a load or save returned last, or nil if there was none yet.
    private var toldRevision: Int?
    private var readers: [AsyncStream<Result<SettingsSnapshot, ProfileServiceError>>.Continuation] = []

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - settings: The initial settings.
    ///   - hook: Runs before each load, with nil, and before each save, with its changes. The default does nothing.
    public init(
        _ settings: UserSettings = UserSettings(),
        hook: @escaping Hook = { (_) throws(ProfileServiceError) in }
    ) {
        self.settings = settings
        self.hook = hook
    }

    deinit {
        for reader in readers { reader.finish() }
    }

    /// Returns the stored settings.
    ///
    /// - Throws: Any error that the hook throws.
    public func load() async throws(ProfileServiceError) -> SettingsSnapshot {
        try await hook(nil)
        toldRevision = revision
        return snapshot
    }

    /// Merges changes into the stored settings.
    ///
    /// - Returns: The stored settings after the save.
    /// - Throws: Any error that the hook throws. In that case nothing is changed.
    public func save(_ changes: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot {
        try await hook(changes)
        saves.append(changes)
        settings = changes.applied(to: settings)
        revision += 1
        toldRevision = revision
        return snapshot
    }

    /// The changes made by ``changeElsewhere(_:)`` since the last load or save, and failures from now on.
    ///
    /// - Returns: A sequence for a single reader.
    public func changesElsewhere() -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Result<SettingsSnapshot, ProfileServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        readers.append(reader)
        if let toldRevision, toldRevision != revision { reader.yield(.success(snapshot)) }
        return stream
    }

    /// Changes the stored settings as another process would, and notifies the readers.
    public func changeElsewhere(_ changes: SettingsChanges) {
        settings = changes.applied(to: settings)
        revision += 1
        tell(.success(snapshot))
    }

    /// Notifies the readers that another process's changes can't be read.
    ///
    /// - Parameter error: The error that the readers receive.
    public func failElsewhere(_ error: ProfileServiceError) {
        tell(.failure(error))
    }

    private var snapshot: SettingsSnapshot { SettingsSnapshot(settings: settings, revision: revision) }

    private func tell(_ change: Result<SettingsSnapshot, ProfileServiceError>) {
        readers.removeAll { reader in
            if case .terminated = reader.yield(change) { true } else { false }
        }
    }
}
