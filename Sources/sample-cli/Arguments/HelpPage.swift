/// The help page of a command, generated from the table that also parses it.
struct HelpPage {
    /// The program, the groups, and the command.
    let path: [CommandSpec]

    /// The page, including the trailing line feed.
    var text: String {
        guard let command = path.last else { return "" }
        var sections = [[Texts.usage(of: path)], [command.summary]]
        sections.append(table("Commands:", command.subcommands.map { ($0.name, $0.summary) }))
        sections.append(table("Arguments:", command.operands.map { ($0.usage, $0.explanation) }))
        let options = CommandSpec.options(of: path.reversed())
        sections.append(table("Options:", options.map { (name(of: $0), $0.explanation) }))
        sections += command.notes.map { [$0] }
        let text = sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        return text + "\n"
    }

    private func name(of option: OptionSpec) -> String {
        (option.letter.map { "-\($0), " } ?? "    ") + option.usage
    }

    private func table(_ title: String, _ rows: [(name: String, explanation: String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let width = (rows.map(\.name.columns).max() ?? 0) + 2
        return [title] + rows.map { "  " + $0.name.padded(to: width) + $0.explanation }
    }
}
