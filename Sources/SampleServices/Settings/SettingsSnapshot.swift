/// Somebody's settings, as a service saw them at one moment.
public struct SettingsSnapshot: Sendable, Hashable {
    /// The settings.
    public let settings: UserSettings

    /// Tells snapshots of one service apart by age: a later one has a greater or, if nothing has changed, the same
    /// revision. Revisions of different services can't be compared.
    public let revision: Int

    /// Makes a snapshot.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - revision: The age of the snapshot within its service.
    public init(settings: UserSettings, revision: Int) {
        self.settings = settings
        self.revision = revision
    }
}
