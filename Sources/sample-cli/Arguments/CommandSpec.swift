/// A command, or a group of commands: everything that parsing, help and completions need to know about it.
struct CommandSpec: Sendable {
    let name: String
    /// One sentence for the help page.
    let summary: String
    var operands: [OperandSpec] = []
    /// The options of the command, in addition to those of its groups.
    var options: [OptionSpec] = []
    /// Options of its groups that make no sense here.
    var excluded: [OptionSpec] = []
    var subcommands: [CommandSpec] = []
    var notes: [String] = []

    /// Carries out the command. Throws a ``UsageError`` before anything is accessed, or an error that ``Complaint``
    /// puts into words. Nil for a group.
    var run: (@Sendable (Invocation) async throws -> ExitStatus)?

    /// The options of a command and of its groups, which are the rest of its path.
    static func options(of path: [CommandSpec]) -> [OptionSpec] {
        path.flatMap(\.options).filter { option in !path.contains { $0.excluded.contains(option) } }
    }

    /// The options of this command and of all commands below it.
    var allOptions: Set<OptionSpec> {
        subcommands.reduce(into: Set(options)) { $0.formUnion($1.allOptions) }
    }
}

/// A positional argument of a command.
struct OperandSpec: Sendable, Hashable {
    /// The placeholder in help pages, in capitals.
    let name: String
    /// Whether it may be given several times. Only allowed for the last operand of a command.
    var isRepeated = false
    /// One sentence for the help page.
    let explanation: String

    /// The notation in help pages: `ID…`.
    var usage: String {
        isRepeated ? "\(name)…" : name
    }
}

/// An option of a command: its names, and its help text.
struct OptionSpec: Sendable, Hashable {
    /// The name, without its two hyphens.
    let name: String
    /// The letter of the short form, without its hyphen, or nil.
    var letter: Character?
    /// The placeholder for the value in help pages, or nil for an option without a value.
    var value: String?
    /// One sentence for the help page.
    let explanation: String

    /// The notation in help pages: `--data FOLDER`.
    var usage: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }
}
