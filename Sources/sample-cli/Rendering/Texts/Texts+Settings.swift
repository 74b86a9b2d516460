import SampleDomain
import SampleServices

extension Texts {
    static let settingsSummary = "Shows and changes the settings."
    static let settingsListSummary = "Shows the settings, and who is signed in."
    static let settingsSetSummary = "Changes one setting, and shows all of them."

    static let settingOperand = "The setting: \(SettingWord.list)."
    static let valueOperand = "The new value. Several words make one value."

    static let settingsSetNote = """
        display-name and list-name take a text, or "" for none; theme takes pilbara or collaroy.
        """
    static let settingsJSONNote = """
        With --json, a command prints one object on success:
          outcome   "listed" or "changed"
          profile   the name of the profile that is signed in, or null
          settings  an object with
            displayName  text; empty where there is none
            listName     text; empty where there is none
            theme        "pilbara" or "collaroy"
        """

    static func title(_ section: Settings.Section.Kind) -> String {
        switch section {
        case .names: "Names"
        case .appearance: "Appearance"
        case .session: "Session"
        }
    }

    static func label(_ cell: Settings.Cell) -> String {
        switch cell {
        case .displayName: "Display name"
        case .listName: "List name"
        case .theme: "Theme"
        case .signOut: "Signed in as"
        }
    }

    static func value(_ cell: Settings.Cell) -> String {
        switch cell {
        case .displayName(let name), .listName(let name): name.isEmpty ? "(none)" : name
        case .theme(let theme): theme.rawValue
        case .signOut(let name): "\(name)  (session logout signs out)"
        }
    }

    static func explain(_ error: SettingsError) -> String {
        switch error {
        case .tooLong(let limit): "The name is too long: it can have \(limit.formatted()) characters at most."
        case .severalLines: "The name has a line break or a control character: it has to fit in one line."
        case .notLoaded(let failure): "The settings can't be read: \(failure.explanation.visible)"
        }
    }
}
