/// The commands for the settings.
extension CommandTable {
    private static let name = OperandSpec(
        name: "NAME", choices: SettingWord.allCases.map(\.rawValue), explanation: Texts.settingOperand)
    private static let value = OperandSpec(name: "VALUE", count: .many, explanation: Texts.valueOperand)

    static let settings = CommandSpec(
        name: "settings",
        summary: Texts.settingsSummary,
        options: [data, json],
        subcommands: [
            CommandSpec(name: "list", summary: Texts.settingsListSummary, notes: [Texts.settingsJSONNote]) {
                try await SettingsRunner($0).list()
            },
            CommandSpec(
                name: "set",
                summary: Texts.settingsSetSummary,
                operands: [name, value],
                notes: [Texts.settingsSetNote, Texts.settingsJSONNote]
            ) {
                let setting = try SettingWord.setting($0.arguments.first, to: $0.arguments.text(from: 1), value)
                return try await SettingsRunner($0).choose(setting)
            },
        ],
        notes: [Texts.settingsJSONNote]
    )
}
