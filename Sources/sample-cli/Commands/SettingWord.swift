import SampleDomain
import SampleServices

/// The names of settings on the command line.
enum SettingWord: String, CaseIterable {
    case displayName = "display-name"
    case listName = "list-name"
    case theme

    static var list: String {
        let words = allCases.map(\.rawValue)
        return words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
    }

    /// Converts a typed name and a typed value to a setting.
    static func setting(
        _ name: String, to text: String, _ operand: OperandSpec
    ) throws(UsageError) -> Settings.Setting {
        switch SettingWord(rawValue: name) {
        case .displayName: return .displayName(text)
        case .listName: return .listName(text)
        case .theme:
            guard let theme = UserSettings.Theme(rawValue: text) else {
                throw .noChoice(text, operand, choices: UserSettings.Theme.allCases.map(\.rawValue))
            }
            return .theme(theme)
        case nil: throw .noSetting(name)
        }
    }
}
