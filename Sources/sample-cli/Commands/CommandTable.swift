/// All commands with their help, the common source of parsing, help and completions.
enum CommandTable {
    static let help = OptionSpec(name: "help", letter: "h", explanation: "Explain the command, and do nothing else.")
    static let version = OptionSpec(name: "version", explanation: "Print the version, and do nothing else.")
    static let verbose = OptionSpec(name: "verbose", letter: "v", explanation: "Log every action on standard error.")
    static let trace = OptionSpec(
        name: "trace", value: "FILE", explanation: "Record what happens in a file, for the trace commands.")
    static let json = OptionSpec(name: "json", explanation: "Print JSON for scripts, as Docs/Sample.md describes it.")
    static let data = OptionSpec(
        name: "data", value: "FOLDER",
        explanation: "The folder of the data. Without it: SAMPLE_DATA, or relux-sample in the user's data folder.")

    static let root: CommandSpec = CommandSpec(
        name: "sample-cli",
        summary: "A to-do list, a catalogue of pets, users, settings and profiles, built on Relux.",
        options: [verbose, trace, help, version],
        subcommands: [items, pets, users, settings, session, tui, traces, map, completions],
        notes: [
            "Exit status: 0 success, 1 a refusal or a failure, 64 wrong usage, 130 interrupted, 128 + n ended by signal n.",
            "A standard stream that is closed, as by >&-, counts as /dev/null.",
        ]
    )

    private static let tui = CommandSpec(
        name: "tui",
        summary: "Shows list, pets, users and settings full-screen, live, and lets them be changed by keys.",
        options: [data, baseURL],
        notes: [
            "? shows the keys. q ends it with status 0, control-C with 130.",
            """
            Standard input and output have to be a terminal that can place its cursor. NO_COLOR takes the colours away.
            With --verbose, the log goes to standard error, which must not be the terminal:  tui --verbose 2>log
            """,
        ]
    ) {
        try await ScreenRunner(invocation: $0, petsService: PetsRunner.service(at: $0.petsAddress())).run()
    }

    private static let shell = OperandSpec(
        name: "SHELL", choices: CompletionScript.Shell.allCases.map(\.rawValue), explanation: "bash, zsh or fish.")

    private static let completions = CommandSpec(
        name: "completions",
        summary: "Prints a script with which a shell completes the commands and options.",
        operands: [shell],
        notes: [
            """
            bash, in ~/.bashrc:                   source <(sample-cli completions bash)
            zsh, in ~/.zshrc, after compinit:     source <(sample-cli completions zsh)
            fish, in ~/.config/fish/config.fish:  sample-cli completions fish | source
            """
        ]
    ) { invocation in
        let kind = try shell.choice(invocation.arguments.first, of: CompletionScript.Shell.self)
        invocation.console.output(CompletionScript(shell: kind, root: root).text)
        return .success
    }
}
