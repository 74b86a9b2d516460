/// The settings that a user has chosen.
public struct UserSettings: Sendable, Hashable {
    /// The look of the user interface.
    public enum Theme: String, Sendable, Hashable, CaseIterable {
        /// The colours of red earth.
        case pilbara
        /// The colours of blue water.
        case collaroy
    }

    /// The user's name, or an empty string if none was chosen.
    public var displayName: String

    /// The name of the list, or an empty string if none was chosen.
    public var listName: String

    /// The theme, or nil if none was chosen.
    public var theme: Theme?

    /// Creates settings. The defaults are those of a user who hasn't chosen anything.
    public init(displayName: String = "", listName: String = "", theme: Theme? = nil) {
        self.displayName = displayName
        self.listName = listName
        self.theme = theme
    }
}

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
