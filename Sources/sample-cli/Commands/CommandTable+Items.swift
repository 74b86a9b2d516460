import SampleDomain

/// The commands for the to-do list.
extension CommandTable {
    private static let top = OptionSpec(name: "top", explanation: Texts.topOption)
    private static let yes = OptionSpec(name: "yes", letter: "y", explanation: Texts.yesOption)
    private static let id = OperandSpec(name: "ID", explanation: Texts.idOperand)
    private static let ids = OperandSpec(name: "ID", count: .many, explanation: Texts.idsOperand)
    private static let title = OperandSpec(name: "TITLE", count: .many, explanation: Texts.titleOperand)
    private static let newTitle = OperandSpec(name: "TITLE", count: .many, explanation: Texts.newTitleOperand)
    private static let position = OperandSpec(name: "POSITION", explanation: Texts.positionOperand)
    private static let file = OperandSpec(name: "FILE", explanation: Texts.fileOperand)

    static let items = CommandSpec(
        name: "items",
        summary: Texts.itemsSummary,
        options: [data, json],
        subcommands: [list] + edits + sweeps + steps + [importing],
        notes: [Texts.jsonNote]
    )

    private static let list = CommandSpec(name: "list", summary: Texts.listSummary, notes: [Texts.jsonNote]) {
        try await ItemsRunner($0).list()
    }

    private static let edits = [
        change("add", Texts.addSummary, [title], options: [top], notes: [Texts.addNote]) {
            .add(title: $0.text(from: 0), $0.contains(top) ? .top : .end)
        },
        change("done", Texts.doneSummary, [ids]) { .complete($0.operands.map(Items.Reference.typed)) },
        change("reopen", Texts.reopenSummary, [ids]) { .reopen($0.operands.map(Items.Reference.typed)) },
        change("move", Texts.moveSummary, [id, position]) { (arguments) throws(UsageError) in
            .move(.typed(arguments.first), position: try arguments.number(at: 1, position))
        },
        change("rename", Texts.renameSummary, [id, newTitle]) { (arguments) throws(UsageError) in
            .rename(.typed(arguments.first), title: try arguments.words(from: 1, newTitle))
        },
        change("delete", Texts.deleteSummary, [ids]) { .delete($0.operands.map(Items.Reference.typed)) },
    ]

    private static let sweeps = [
        sweep(.completed, "clear", Texts.clearSummary),
        sweep(.all, "delete-all", Texts.deleteAllSummary),
    ]

    private static let steps = [
        change("undo", Texts.undoSummary, notes: [Texts.undoNote]) { _ in .undo },
        change("redo", Texts.redoSummary, notes: [Texts.redoNote]) { _ in .redo },
    ]

    private static let importing = CommandSpec(
        name: "import",
        summary: Texts.importSummary,
        operands: [file],
        notes: [Texts.importNote, Texts.importJSONNote]
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
        CommandSpec(name: name, summary: summary, options: [yes], notes: [Texts.sweepNote]) {
            let isAgreed = $0.arguments.contains(yes)
            // Checked before anything is accessed.
            if !isAgreed, !$0.console.canAsk { throw UsageError.unasked(yes) }
            return try await ItemsRunner($0).sweep(sweep, isAgreed: isAgreed)
        }
    }
}
