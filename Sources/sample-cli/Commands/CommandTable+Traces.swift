/// The commands that explain what the program did, and what it consists of.
extension CommandTable {
    private static let file = OperandSpec(name: "FILE", explanation: "A file that --trace has written.")
    private static let path = OperandSpec(
        name: "PATH",
        explanation: "A state and a value in it, such as Settings.State.values.theme, or in quotation marks "
            + "\"Undoable<Items.List>.present.items\". \"map\" prints the states.")
    private static let mermaid = OptionSpec(name: "mermaid", explanation: "Print a Mermaid flowchart.")

    static let traces = CommandSpec(
        name: "trace",
        summary: "Explains what a command did, from a file that it has written with --trace.",
        excluded: [trace],
        subcommands: [
            CommandSpec(name: "show", summary: "Prints the events, one line each.", operands: [file]) {
                try TraceRunner($0).print { $0.description }
            },
            CommandSpec(
                name: "why", summary: "Says which action changed a value last, and what led to it.",
                operands: [file, path]
            ) { invocation in
                try TraceRunner(invocation).why(invocation.arguments.text(from: 1))
            },
            CommandSpec(name: "html", summary: "Prints a page that shows everything.", operands: [file]) {
                try TraceRunner($0).print { $0.timeline() }
            },
            CommandSpec(name: "perfetto", summary: "Prints trace events for ui.perfetto.dev.", operands: [file]) {
                try TraceRunner($0).print { $0.perfetto() }
            },
            CommandSpec(
                name: "verify", summary: "Reduces the actions again, and compares the states.", operands: [file]
            ) {
                try TraceRunner($0).verify()
            },
        ]
    )

    static let map = CommandSpec(
        name: "map",
        summary: "Prints the modules with their states, reducers and sagas.",
        options: [data, mermaid]
    ) {
        try await TraceRunner.map($0, isChart: $0.arguments.contains(mermaid))
    }
}
