import SampleDomain
import SampleServices

/// The names of settings on the command line.
enum SettingWord: String, CaseIterable {
    case displayName = "display-name"
    case listName = "list-name"
    case theme

    /// All names as text.
    static var list: String {
        let words = allCases.map(\.rawValue)
        return words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
    }

    /// Converts the typed value to a setting.
    func setting(_ text: String, _ operand: OperandSpec) throws(UsageError) -> Settings.Setting {
        switch self {
        case .displayName: return .displayName(text)
        case .listName: return .listName(text)
        case .theme:
            guard let theme = UserSettings.Theme(rawValue: text) else {
                throw .noChoice(text, operand, choices: UserSettings.Theme.allCases.map(\.rawValue))
            }
            return .theme(theme)
        }
    }
}
