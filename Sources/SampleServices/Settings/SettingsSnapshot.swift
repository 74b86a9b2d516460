/// A user's settings, as a service saw them at one point in time.
public struct SettingsSnapshot: Sendable, Hashable {
    /// The settings.
    public let settings: UserSettings

    /// The relative age of the snapshot within one service. A later snapshot has a greater revision, or the same one if
    /// nothing has changed. Revisions of different services can't be compared.
    public let revision: Int

    /// Creates a snapshot.
    ///
    /// - Parameter revision: The relative age of the snapshot within its service.
    public init(settings: UserSettings, revision: Int) {
        self.settings = settings
        self.revision = revision
    }
}
