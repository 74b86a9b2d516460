extension CommandTable {
    private static let shells = CompletionScript.Shell.allCases.map(\.rawValue)
    private static let shell = OperandSpec(name: "SHELL", choices: shells, explanation: Texts.shellOperand)

    static let completions = CommandSpec(
        name: "completions",
        summary: Texts.completionsSummary,
        operands: [shell],
        notes: [Texts.completionsNote]
    ) { (arguments) throws(UsageError) in
        guard let name = CompletionScript.Shell(rawValue: arguments.first) else {
            throw .noChoice(arguments.first, shell, choices: shells)
        }
        return .completions(name)
    }
}
