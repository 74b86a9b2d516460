/// All commands, the common source of parsing, help and completions.
enum CommandTable {
    static let help = OptionSpec(name: "help", letter: "h", explanation: Texts.helpOption)
    static let version = OptionSpec(name: "version", explanation: Texts.versionOption)
    static let verbose = OptionSpec(name: "verbose", letter: "v", explanation: Texts.verboseOption)
    static let data = OptionSpec(name: "data", value: "FOLDER", explanation: Texts.dataOption)
    static let json = OptionSpec(name: "json", explanation: Texts.jsonOption)

    static let root: CommandSpec = CommandSpec(
        name: "sample-cli",
        summary: Texts.programSummary,
        options: [verbose, help, version],
        subcommands: [items, pets, users, settings, session, tui, completions],
        notes: [Texts.exitNote, Texts.errorJSONNote, Texts.streamsNote]
    )

    private static let tui = CommandSpec(
        name: "tui",
        summary: Texts.tuiSummary,
        options: [data, baseURL],
        notes: [Texts.tuiNote, Texts.tuiSelectionNote, Texts.tuiTerminalNote, Texts.tuiVerboseNote]
    ) {
        try await ScreenRunner(invocation: $0, petsService: PetsRunner.service(at: $0.petsAddress())).run()
    }

    private static let shells = CompletionScript.Shell.allCases.map(\.rawValue)
    private static let shell = OperandSpec(name: "SHELL", choices: shells, explanation: Texts.shellOperand)

    private static let completions = CommandSpec(
        name: "completions",
        summary: Texts.completionsSummary,
        operands: [shell],
        notes: [Texts.completionsNote]
    ) { invocation in
        guard let name = CompletionScript.Shell(rawValue: invocation.arguments.first) else {
            throw UsageError.noChoice(invocation.arguments.first, shell, choices: shells)
        }
        invocation.console.output(CompletionScript(shell: name, root: root).text)
        return .success
    }
}
