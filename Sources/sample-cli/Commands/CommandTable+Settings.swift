import SampleDomain
import SampleServices

extension CommandTable {
    private static let name = OperandSpec(
        name: "NAME", choices: SettingWord.allCases.map(\.rawValue), explanation: Texts.settingOperand)
    private static let value = OperandSpec(name: "VALUE", count: .many, explanation: Texts.valueOperand)

    /// The commands for the settings.
    static let settings = CommandSpec(
        name: "settings",
        summary: Texts.settingsSummary,
        options: [data, json],
        subcommands: [
            CommandSpec(
                name: "list",
                summary: Texts.settingsListSummary,
                notes: [Texts.settingsJSONNote]
            ) { arguments in
                .settings(.list, options(of: arguments))
            },
            CommandSpec(
                name: "set",
                summary: Texts.settingsSetSummary,
                operands: [name, value],
                notes: [Texts.settingsSetNote, Texts.settingsJSONNote]
            ) { (arguments) throws(UsageError) in
                guard let word = SettingWord(rawValue: arguments.first) else {
                    let words = SettingWord.allCases.map(\.rawValue)
                    let nearest = Suggestion.nearest(to: arguments.first, among: words)
                    throw .noSetting(arguments.first, nearest: nearest)
                }
                let setting = try word.setting(arguments.text(from: 1), value)
                return .settings(.choose(setting), options(of: arguments))
            },
        ],
        notes: [Texts.settingsJSONNote]
    )
}
