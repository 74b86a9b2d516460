import Foundation

/// Settings as stored in a file. A missing key means that the setting hasn't been chosen.
struct SettingsRecord: JSONDocument {
    static let format = "relux-settings"
    static let version = 1
    static let kind = "settings"

    let settings: UserSettings

    private enum CodingKeys: String, CodingKey {
        case displayName, listName, theme
    }

    init(settings: UserSettings) {
        self.settings = settings
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let theme = try container.decodeIfPresent(String.self, forKey: .theme)
        if let theme, UserSettings.Theme(rawValue: theme) == nil {
            let known = UserSettings.Theme.allCases.map(\.rawValue).joined(separator: " and ")
            let what = "there is no theme “\(theme)”, only \(known)"
            throw DecodingError.dataCorruptedError(forKey: .theme, in: container, debugDescription: what)
        }
        settings = UserSettings(
            displayName: try container.decodeIfPresent(String.self, forKey: .displayName) ?? "",
            listName: try container.decodeIfPresent(String.self, forKey: .listName) ?? "",
            theme: theme.flatMap(UserSettings.Theme.init)
        )
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(settings.displayName, forKey: .displayName)
        try container.encode(settings.listName, forKey: .listName)
        try container.encodeIfPresent(settings.theme?.rawValue, forKey: .theme)
    }
}
