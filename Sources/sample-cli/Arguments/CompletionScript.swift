/// A script that completes the program's arguments in a shell, generated from the table that also parses them.
///
/// It completes commands, options, and the words that an operand allows. Folders and files are completed where the
/// table asks for them. Items, pets and users aren't, because that would run the program for every key.
struct CompletionScript {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    /// A command with the words that lead to it.
    struct Place {
        let words: [String]
        let command: CommandSpec
        let options: [OptionSpec]

        /// The words as one word of a shell.
        var key: String { words.map { "/\($0)" }.joined() }
    }

    let shell: Shell
    let root: CommandSpec

    /// The script, including the trailing line feed.
    var text: String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// Every command, the program itself first.
    var places: [Place] { Self.places(below: root, [], []) }

    private static func places(below command: CommandSpec, _ words: [String], _ options: [OptionSpec]) -> [Place] {
        let all = options + command.options
        return [Place(words: words, command: command, options: all)]
            + command.subcommands.flatMap { places(below: $0, words + [$0.name], all) }
    }

    var valued: [OptionSpec] {
        root.allOptions.filter { $0.value != nil }.sorted { $0.name < $1.name }
    }

    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension OperandSpec {
    var isFile: Bool { name == "FILE" }
}

extension OptionSpec {
    var takesFolder: Bool { value == "FOLDER" }

    /// The words that stand for the option.
    var words: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
