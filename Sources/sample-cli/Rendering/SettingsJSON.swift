import SampleDomain
import SampleServices

/// Settings in JSON, for scripts. Their format is part of the program's contract: see ``Texts/settingsJSONNote``.
struct SettingsJSON: JSONLine {
    /// What happened to the settings.
    enum Outcome: String, Encodable {
        case listed, changed
    }

    private struct Values: Encodable {
        var displayName = ""
        var listName = ""
        var theme = ""
    }

    private enum CodingKeys: String, CodingKey {
        case outcome, profile, settings
    }

    private let outcome: Outcome
    private var profile: String?
    private var settings = Values()

    init(_ outcome: Outcome, _ table: Settings.Table) {
        self.outcome = outcome
        for cell in table.cells {
            switch cell {
            case .displayName(let name): settings.displayName = name
            case .listName(let name): settings.listName = name
            case .theme(let theme): settings.theme = theme.rawValue
            case .signOut(let name): profile = name.text
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(outcome, forKey: .outcome)
        // Nil values are encoded as null, so that every object has the same keys.
        try container.encode(profile, forKey: .profile)
        try container.encode(settings, forKey: .settings)
    }
}
