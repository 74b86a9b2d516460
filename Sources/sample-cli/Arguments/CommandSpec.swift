/// A command, or a group of commands: all that parsing and help have to know about it.
struct CommandSpec: Sendable {
    /// The word that calls it.
    let name: String

    /// One sentence for help.
    let summary: String

    /// The words that it takes. A group takes none.
    var operands: [OperandSpec] = []

    /// The options that it takes, besides those of the groups that it belongs to.
    var options: [OptionSpec] = []

    /// The commands of a group.
    var subcommands: [CommandSpec] = []

    /// More paragraphs for help.
    var notes: [String] = []

    /// Makes of its arguments what is to be done; nil for a group.
    var invocation: (@Sendable (ParsedArguments) throws(UsageError) -> Invocation)?

    /// The options of this command and all commands below it.
    var allOptions: Set<OptionSpec> {
        subcommands.reduce(into: Set(options)) { $0.formUnion($1.allOptions) }
    }
}
