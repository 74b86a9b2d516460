/// A command, or a group of commands: everything that parsing, help and completions need to know about it.
struct CommandSpec: Sendable {
    let name: String
    /// One sentence for the help page.
    let summary: String
    var operands: [OperandSpec] = []
    /// The options of the command, in addition to those of its groups.
    var options: [OptionSpec] = []
    var subcommands: [CommandSpec] = []
    var notes: [String] = []

    /// Carries out the command. Throws a ``UsageError`` before anything is accessed, or a ``Complaint``. Nil for a
    /// group.
    var run: (@Sendable (Invocation) async throws -> ExitStatus)?

    /// The options of this command and of all commands below it.
    var allOptions: Set<OptionSpec> {
        subcommands.reduce(into: Set(options)) { $0.formUnion($1.allOptions) }
    }
}
