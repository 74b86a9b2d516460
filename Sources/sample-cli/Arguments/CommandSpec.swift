/// A command, or a group of commands: everything that parsing and help need to know about it.
struct CommandSpec: Sendable {
    /// The word that calls the command.
    let name: String

    /// One sentence for the help page.
    let summary: String

    /// The operands of the command. A group has none.
    var operands: [OperandSpec] = []

    /// The options of the command, in addition to those of its groups.
    var options: [OptionSpec] = []

    /// The commands of a group.
    var subcommands: [CommandSpec] = []

    /// Additional paragraphs for the help page.
    var notes: [String] = []

    /// Converts the arguments to an invocation. Nil for a group.
    var invocation: (@Sendable (ParsedArguments) throws(UsageError) -> Invocation)?

    /// The options of this command and of all commands below it.
    var allOptions: Set<OptionSpec> {
        subcommands.reduce(into: Set(options)) { $0.formUnion($1.allOptions) }
    }
}
