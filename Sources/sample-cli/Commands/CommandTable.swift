import SampleDomain

/// All commands, the common source of parsing and help.
enum CommandTable {
    static let help = OptionSpec(name: "help", letter: "h", explanation: Texts.helpOption)
    static let version = OptionSpec(name: "version", explanation: Texts.versionOption)
    static let verbose = OptionSpec(name: "verbose", letter: "v", explanation: Texts.verboseOption)
    static let data = OptionSpec(name: "data", value: "FOLDER", explanation: Texts.dataOption)
    static let json = OptionSpec(name: "json", explanation: Texts.jsonOption)
    static let top = OptionSpec(name: "top", explanation: Texts.topOption)

    private static let id = OperandSpec(name: "ID", explanation: Texts.idOperand)
    private static let ids = OperandSpec(name: "ID", count: .many, explanation: Texts.idsOperand)
    private static let title = OperandSpec(name: "TITLE", count: .many, explanation: Texts.titleOperand)
    private static let newTitle = OperandSpec(name: "TITLE", count: .many, explanation: Texts.newTitleOperand)
    private static let position = OperandSpec(name: "POSITION", explanation: Texts.positionOperand)

    /// The program.
    static let root = CommandSpec(
        name: "sample-cli",
        summary: Texts.programSummary,
        options: [verbose, help, version],
        subcommands: [items, pets, users, settings, session, tui, completions],
        notes: [Texts.exitNote, Texts.errorJSONNote, Texts.streamsNote]
    )

    private static let items = CommandSpec(
        name: "items",
        summary: Texts.itemsSummary,
        options: [data, json],
        subcommands: [
            list, add, done, reopen, move, rename, delete, clear, deleteAll, undo, redo, importing,
        ],
        notes: [Texts.jsonNote]
    )

    private static let list = CommandSpec(
        name: "list",
        summary: Texts.listSummary,
        notes: [Texts.jsonNote]
    ) {
        .items(.list, options(of: $0))
    }

    private static let add = CommandSpec(
        name: "add",
        summary: Texts.addSummary,
        operands: [title],
        options: [top],
        notes: [Texts.addNote]
    ) { arguments in
        command(.add(title: arguments.text(from: 0), arguments.contains(top) ? .top : .end), arguments)
    }

    private static let done = CommandSpec(name: "done", summary: Texts.doneSummary, operands: [ids]) { arguments in
        command(.complete(references(in: arguments)), arguments)
    }

    private static let reopen = CommandSpec(
        name: "reopen",
        summary: Texts.reopenSummary,
        operands: [ids]
    ) { arguments in
        command(.reopen(references(in: arguments)), arguments)
    }

    private static let move = CommandSpec(
        name: "move",
        summary: Texts.moveSummary,
        operands: [id, position]
    ) { (arguments) throws(UsageError) in
        command(.move(.typed(arguments.first), position: try arguments.number(at: 1, position)), arguments)
    }

    private static let rename = CommandSpec(
        name: "rename",
        summary: Texts.renameSummary,
        operands: [id, newTitle]
    ) { (arguments) throws(UsageError) in
        command(.rename(.typed(arguments.first), title: try arguments.words(from: 1, newTitle)), arguments)
    }

    private static let delete = CommandSpec(
        name: "delete",
        summary: Texts.deleteSummary,
        operands: [ids]
    ) { arguments in
        command(.delete(references(in: arguments)), arguments)
    }

    private static let undo = CommandSpec(
        name: "undo",
        summary: Texts.undoSummary,
        notes: [Texts.undoNote]
    ) { arguments in command(.undo, arguments) }

    private static let redo = CommandSpec(
        name: "redo",
        summary: Texts.redoSummary,
        notes: [Texts.redoNote]
    ) { arguments in command(.redo, arguments) }

    private static func command(_ command: Items.Command, _ arguments: ParsedArguments) -> Invocation {
        .items(.command(command), options(of: arguments))
    }

    private static func references(in arguments: ParsedArguments) -> [Items.Reference] {
        arguments.operands.map(Items.Reference.typed)
    }

    static func options(of arguments: ParsedArguments) -> ItemsOptions {
        ItemsOptions(
            folder: arguments.options[data],
            isJSON: arguments.contains(json),
            isVerbose: arguments.contains(verbose)
        )
    }
}
