import SampleDomain
import SampleServices

/// The commands for the to-do list.
extension CommandTable {
    private static let top = OptionSpec(name: "top", explanation: "Add the item at the top of the list.")
    private static let yes = OptionSpec(name: "yes", letter: "y", explanation: "Don't ask.")
    private static let id = OperandSpec(
        name: "ID", explanation: "A position, or the first four or more characters of an id.")
    private static let ids = OperandSpec(
        name: "ID", isRepeated: true, explanation: "Positions, or the first four or more characters of ids.")
    private static let title = OperandSpec(
        name: "TITLE", isRepeated: true, explanation: "The title. Several words make one title.")
    private static let position = OperandSpec(
        name: "POSITION", explanation: "The new position among the active items, from 1.")
    private static let file = OperandSpec(name: "FILE", explanation: "A text file, or a hyphen for standard input.")

    static let items = CommandSpec(
        name: "items",
        summary: "Shows and changes the to-do list.",
        options: [data, json],
        subcommands: [list] + edits + sweeps + steps + [importing]
    )

    private static let list = CommandSpec(name: "list", summary: "Shows what is to do, and below it what is done.") {
        try await ItemsRunner($0).list()
    }

    private static let edits = [
        change(
            "add", "Adds an item at the end of the list.", [title], options: [top],
            notes: ["A title that begins with a hyphen comes after --:  items add -- --help is broken"]
        ) {
            .add(title: $0.text(from: 0), $0.contains(top) ? .top : .end)
        },
        change("done", "Completes items: all of them or, where one can't be, none.", [ids]) {
            .complete($0.operands.map(Items.Reference.typed))
        },
        change("reopen", "Makes completed items active again: all of them or, where one can't be, none.", [ids]) {
            .reopen($0.operands.map(Items.Reference.typed))
        },
        change("move", "Moves an active item to another position.", [id, position]) { (arguments) throws(UsageError) in
            .move(.typed(arguments.first), position: try arguments.number(at: 1, position))
        },
        change("rename", "Gives an active item another title.", [id, title]) { (arguments) throws(UsageError) in
            .rename(.typed(arguments.first), title: try arguments.words(from: 1, title))
        },
        change("delete", "Deletes items: all of them or, where one can't be found, none.", [ids]) {
            .delete($0.operands.map(Items.Reference.typed))
        },
    ]

    private static let sweeps = [
        sweep(.completed, "clear", "Deletes the completed items, after asking."),
        sweep(.all, "delete-all", "Deletes all items, after asking."),
    ]

    private static let steps = [
        change(
            "undo", "Undoes the last change that one of these commands made.",
            notes: [
                "The last \(ItemsHistory.standardLimit) changes are remembered, or fewer very large ones. Later changes are kept."
            ]
        ) { _ in .undo },
        change("redo", "Redoes the change that was undone last.") { _ in .redo },
    ]

    private static let importing = CommandSpec(
        name: "import",
        summary: "Adds an item for every line of a text, at the end of the list.",
        operands: [file],
        notes: [
            """
            Blank lines are skipped. If the import can't continue, or if control-C interrupts it, what was saved is kept,
            and a message says how much that is. One undo removes everything that the import added.
            """
        ]
    ) {
        try await ItemsRunner($0).importTitles(from: $0.arguments.first)
    }

    /// A command that changes the list.
    private static func change(
        _ name: String,
        _ summary: String,
        _ operands: [OperandSpec] = [],
        options: [OptionSpec] = [],
        notes: [String] = [],
        _ command: @escaping @Sendable (ParsedArguments) throws(UsageError) -> Items.Command
    ) -> CommandSpec {
        CommandSpec(name: name, summary: summary, operands: operands, options: options, notes: notes) {
            let command = try command($0.arguments)
            return try await ItemsRunner($0).carryOut(command)
        }
    }

    /// A command that deletes many items at once, after asking.
    private static func sweep(_ sweep: Sweep, _ name: String, _ summary: String) -> CommandSpec {
        let note = "Anything but y or yes changes nothing. Scripts pass --yes. One undo brings everything back."
        return CommandSpec(name: name, summary: summary, options: [yes], notes: [note]) {
            let isAgreed = $0.arguments.contains(yes)
            // Checked before anything is accessed.
            if !isAgreed, !$0.console.canAsk { throw UsageError.unasked(yes) }
            return try await ItemsRunner($0).sweep(sweep, isAgreed: isAgreed)
        }
    }
}
