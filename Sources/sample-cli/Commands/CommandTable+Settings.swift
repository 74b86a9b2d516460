import SampleDomain
import SampleServices

/// The commands for the settings.
extension CommandTable {
    /// The names of settings on the command line.
    private enum Word: String, CaseIterable {
        case displayName = "display-name"
        case listName = "list-name"
        case theme
    }

    private static let name = OperandSpec(
        name: "NAME", choices: Word.allCases.map(\.rawValue), explanation: "display-name, list-name or theme.")
    private static let value = OperandSpec(
        name: "VALUE", isRepeated: true, explanation: #"A text, or "" for none; for the theme, pilbara or collaroy."#)

    static let settings = CommandSpec(
        name: "settings",
        summary: "Shows and changes the settings.",
        options: [data, json],
        subcommands: [
            CommandSpec(name: "list", summary: "Shows the settings, and who is signed in.") {
                try await SettingsRunner($0).list()
            },
            CommandSpec(
                name: "set", summary: "Changes one setting, and shows all of them.", operands: [name, value]
            ) {
                let setting = try setting($0.arguments)
                return try await SettingsRunner($0).choose(setting)
            },
        ]
    )

    private static func setting(_ arguments: ParsedArguments) throws(UsageError) -> Settings.Setting {
        let text = arguments.text(from: 1)
        switch try name.choice(arguments.first, of: Word.self) {
        case .displayName: return .displayName(text)
        case .listName: return .listName(text)
        case .theme: return .theme(try value.choice(text, of: UserSettings.Theme.self))
        }
    }
}
