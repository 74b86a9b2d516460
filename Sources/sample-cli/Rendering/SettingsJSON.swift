import SampleDomain
import SampleServices

/// Settings, as Docs/Sample.md describes them.
struct SettingsJSON: JSONLine {
    private struct Values: Encodable {
        var displayName = ""
        var listName = ""
        var theme = ""
    }

    private let outcome: String
    @OrNull private var profile: String?
    private var settings = Values()

    init(_ outcome: String, _ table: Settings.Table) {
        self.outcome = outcome
        var profile: String?
        for cell in table.cells {
            switch cell {
            case .displayName(let name): settings.displayName = name
            case .listName(let name): settings.listName = name
            case .theme(let theme): settings.theme = theme.rawValue
            case .signOut(let name): profile = name.text
            }
        }
        _profile = OrNull(wrappedValue: profile)
    }
}
