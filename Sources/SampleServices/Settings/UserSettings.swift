/// The settings that a user has chosen.
public struct UserSettings: JSONStored, Hashable {
    /// The look of the user interface.
    public enum Theme: String, Sendable, Hashable, CaseIterable, Codable {
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

    /// Creates the settings of a user who hasn't chosen anything.
    public init() {
        self.init(displayName: "")
    }

    /// Merges changes into the settings.
    public mutating func apply(_ changes: SettingsChanges) {
        self = changes.applied(to: self)
    }
}

extension UserSettings {
    /// The name of the file, without its extension.
    public static let fileStem = "settings"

    /// The name of the format, as written in the file.
    public static let format = "relux-settings"

    /// The version of the format.
    public static let version = 1

    /// A human-readable name.
    public static let kind = "settings"

    /// Reads settings. A missing key means that the setting hasn't been chosen.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        displayName = try container.decodeIfPresent(String.self, forKey: .displayName) ?? ""
        listName = try container.decodeIfPresent(String.self, forKey: .listName) ?? ""
        theme = try container.decodeIfPresent(String.self, forKey: .theme).map { name in
            if let theme = Theme(rawValue: name) { return theme }
            let known = Theme.allCases.map(\.rawValue).joined(separator: " and ")
            let what = "there is no theme “\(name)”, only \(known)"
            throw DecodingError.dataCorruptedError(forKey: .theme, in: container, debugDescription: what)
        }
    }
}

/// Stores a user's settings.
public typealias SettingsService = StorageService<UserSettings>

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
