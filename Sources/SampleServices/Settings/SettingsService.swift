/// Stores a user's settings.
///
/// Several services, in one process or in many, may use the same stored settings.
///
/// - Ordering: The saves of one service run one at a time. Snapshots may arrive in a different order from the one in
///   which they were taken. ``SettingsSnapshot/revision`` identifies the newer one.
public protocol SettingsService: Sendable {
    /// Reads the settings. If nothing has been saved yet, all settings have their defaults.
    ///
    /// - Throws: If the settings can't be read. In that case nothing is changed.
    func load() async throws(ProfileServiceError) -> SettingsSnapshot

    /// Merges changes into the stored settings.
    ///
    /// - Returns: The stored settings after the save, including changes made elsewhere.
    /// - Throws: If the changes can't be saved. The stored settings are then unchanged.
    func save(_ changes: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot

    /// The changes made elsewhere since the last load or save of this service.
    ///
    /// The sequence doesn't include this service's own saves. A slow reader receives only the newest snapshot. A
    /// failure to read doesn't end the sequence: once the problem is fixed elsewhere, the next snapshot follows.
    ///
    /// - Returns: A sequence for a single reader. It ends when the reading task is cancelled, when the sequence is
    ///   released, or after a failure from which it can't recover.
    func changesElsewhere() async -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>>
}

/// A user's settings, as a service saw them at one point in time.
public struct SettingsSnapshot: Sendable, Hashable {
    /// The settings.
    public let settings: UserSettings

    /// The relative age of the snapshot within one service. A later snapshot has a greater revision, or the same one if
    /// nothing has changed. Revisions of different services can't be compared.
    public let revision: Int

    /// Creates a snapshot.
    public init(settings: UserSettings, revision: Int) {
        self.settings = settings
        self.revision = revision
    }
}
