/// A partial update of a user's settings.
///
/// Only the changed settings are included. If two processes change different settings, both changes are kept. Of two
/// changes to the same setting, the later one wins.
public struct SettingsChanges: Sendable, Hashable {
    /// The new name of the user, or nil for no change.
    public var displayName: String?

    /// The new name of the list, or nil for no change.
    public var listName: String?

    /// The new theme, or nil for no change.
    public var theme: UserSettings.Theme?

    /// Creates changes. A nil argument leaves the setting unchanged.
    public init(displayName: String? = nil, listName: String? = nil, theme: UserSettings.Theme? = nil) {
        self.displayName = displayName
        self.listName = listName
        self.theme = theme
    }

    /// Whether no setting changes.
    public var isEmpty: Bool { self == SettingsChanges() }

    /// Returns settings with the changes applied.
    ///
    /// - Parameter settings: The settings before the changes.
    public func applied(to settings: UserSettings) -> UserSettings {
        UserSettings(
            displayName: displayName ?? settings.displayName,
            listName: listName ?? settings.listName,
            theme: theme ?? settings.theme
        )
    }

    /// Adds later changes, which override earlier changes to the same settings.
    public mutating func add(_ later: SettingsChanges) {
        displayName = later.displayName ?? displayName
        listName = later.listName ?? listName
        theme = later.theme ?? theme
    }
}
