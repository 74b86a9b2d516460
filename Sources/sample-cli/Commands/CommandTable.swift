/// All commands with their help, the common source of parsing and help.
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

    static let root = CommandSpec(
        name: "sample-cli",
        summary: "A to-do list, a catalogue of pets, users, settings and profiles, built on Relux.",
        options: [verbose, trace, help, version],
        subcommands: [items, pets, users, settings, session, tui, traces, map],
        notes: [
            "Exit status: 0 success, 1 a refusal or a failure, 64 wrong usage, 130 interrupted, 128 + n ended by signal n."
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
    ) { try await ScreenRunner(invocation: $0, pets: $0.petsService()).run() }
}
