/// Settings that last as long as the process: for tests and previews.
///
/// A closure, run before each load and save, lets a test make them fail, or hold them until it lets them go on.
///
/// - Reentrancy: While a load or save waits in its closure, others go on.
/// - Lifetime: Sequences of changes end when the service is released.
public actor InMemorySettingsService: SettingsService {
    /// Runs before a load, or before a save with its changes: throws what that is to throw.
    public typealias Hook = @Sendable (SettingsChanges?) async throws(ProfileServiceError) -> Void

    /// What is stored now.
    public private(set) var settings: UserSettings

    /// The changes of each save that has succeeded, oldest first.
    public private(set) var saves: [SettingsChanges] = []

    private let hook: Hook
    private var revision = 1
    /// What a load or a save has returned last; nil for nothing yet.
    private var toldRevision: Int?
    private var readers: [AsyncStream<Result<SettingsSnapshot, ProfileServiceError>>.Continuation] = []

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - settings: What is stored at the beginning.
    ///   - hook: Runs before each load, with nil, and each save, with its changes. The default does nothing.
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

    /// Returns what is stored.
    ///
    /// - Returns: The settings as they are stored now.
    /// - Throws: What the hook throws.
    public func load() async throws(ProfileServiceError) -> SettingsSnapshot {
        try await hook(nil)
        toldRevision = revision
        return snapshot
    }

    /// Merges changes into what is stored.
    ///
    /// - Parameter changes: What is to be otherwise.
    /// - Returns: What is stored now.
    /// - Throws: What the hook throws; nothing is changed then.
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
    /// - Returns: A sequence for one reader.
    public func changesElsewhere() -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Result<SettingsSnapshot, ProfileServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        readers.append(reader)
        if let toldRevision, toldRevision != revision { reader.yield(.success(snapshot)) }
        return stream
    }

    /// Changes what is stored, as another process would, and tells the readers.
    ///
    /// - Parameter changes: What is to be otherwise.
    public func changeElsewhere(_ changes: SettingsChanges) {
        settings = changes.applied(to: settings)
        revision += 1
        tell(.success(snapshot))
    }

    /// Tells the readers that what others have stored can't be read.
    ///
    /// - Parameter error: What they get.
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
