import SampleDomain

/// Commands that affect many items at once.
extension CommandTable {
    static let yes = OptionSpec(name: "yes", letter: "y", explanation: Texts.yesOption)
    private static let file = OperandSpec(name: "FILE", explanation: Texts.fileOperand)

    static let clear = CommandSpec(
        name: "clear",
        summary: Texts.clearSummary,
        options: [yes],
        notes: [Texts.sweepNote]
    ) { arguments in .items(.sweep(.completed, isAgreed: arguments.contains(yes)), options(of: arguments)) }

    static let deleteAll = CommandSpec(
        name: "delete-all",
        summary: Texts.deleteAllSummary,
        options: [yes],
        notes: [Texts.sweepNote]
    ) { arguments in .items(.sweep(.all, isAgreed: arguments.contains(yes)), options(of: arguments)) }

    static let importing = CommandSpec(
        name: "import",
        summary: Texts.importSummary,
        operands: [file],
        notes: [Texts.importNote, Texts.importJSONNote]
    ) { arguments in .items(.importing(path: arguments.first), options(of: arguments)) }
}
