/// A command, or a group of commands: everything that parsing, help and completions need to know about it.
struct CommandSpec: Sendable {
    /// The word that calls the command.
    let name: String

    /// One sentence for the help page.
    let summary: String

    var operands: [OperandSpec] = []

    /// The options of the command, in addition to those of its groups.
    var options: [OptionSpec] = []

    /// The commands of a group.
    var subcommands: [CommandSpec] = []

    /// Additional paragraphs for the help page.
    var notes: [String] = []

    /// Carries out the command. Throws a ``UsageError`` before anything is accessed, or a ``Complaint``. Nil for a
    /// group.
    var run: (@Sendable (Invocation) async throws -> ExitStatus)?

    /// The options of this command and of all commands below it.
    var allOptions: Set<OptionSpec> {
        subcommands.reduce(into: Set(options)) { $0.formUnion($1.allOptions) }
    }
}
