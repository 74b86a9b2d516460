import SampleServices

/// Parses arguments according to a table of commands.
///
/// Options may appear anywhere before and between the other words. `--` ends them. The value of an option is the next
/// word, or follows an equals sign. A single hyphen and negative numbers are not options.
struct ArgumentParser: Sendable {
    /// The request of the arguments.
    enum Request: Sendable {
        case help(path: [CommandSpec])
        case version
        case run(path: [CommandSpec], ParsedArguments)
    }

    /// A usage error, and the command that it concerns.
    struct Failure: Error {
        let error: UsageError
        let path: [CommandSpec]
    }

    let root: CommandSpec
    let help: OptionSpec
    var version: OptionSpec?

    func parse(_ arguments: [String]) throws(Failure) -> Request {
        var path = [root]
        var parsed = ParsedArguments()
        var rest = arguments[...]
        var isOptionAllowed = true
        do throws(UsageError) {
            while let word = rest.popFirst() {
                if isOptionAllowed, word == "--" {
                    isOptionAllowed = false
                } else if isOptionAllowed, Self.looksLikeOption(word) {
                    try takeOption(word, &rest, &parsed)
                } else if let group = path.last, !group.subcommands.isEmpty {
                    // As in most programs, `help` before a command is another way to request help.
                    if word == "help", isOptionAllowed { parsed.options[help] = "" } else { try step(word, &path) }
                } else {
                    parsed.operands.append(word)
                }
            }
            if parsed.contains(help) { return .help(path: path) }
            if let version, parsed.contains(version) { return .version }
            try check(parsed, path)
            return .run(path: path, parsed)
        } catch {
            throw Failure(error: error, path: path)
        }
    }

    private static func looksLikeOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && Int(word) == nil
    }

    private func step(_ word: String, _ path: inout [CommandSpec]) throws(UsageError) {
        guard let command = path.last?.subcommands.first(where: { $0.name == word }) else {
            throw .unknownCommand(word)
        }
        path.append(command)
    }

    private func takeOption(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ parsed: inout ParsedArguments
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, attached) = (parts[0], parts.count > 1 ? parts[1] : nil)
        let named = root.allOptions.first { "--\($0.name)" == name || $0.letter.map { "-\($0)" } == name }
        guard let option = named else { throw .unknownOption(name) }
        guard option.value != nil else {
            if attached != nil { throw .unwantedValue(option) }
            parsed.options[option] = ""
            return
        }
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else { throw .missingValue(option) }
        parsed.options[option] = value
    }

    private func check(_ parsed: ParsedArguments, _ path: [CommandSpec]) throws(UsageError) {
        guard let command = path.last, command.run != nil else { throw .missingCommand }
        let allowed = Set(CommandSpec.options(of: path))
        if let foreign = parsed.options.keys.filter({ !allowed.contains($0) }).min(by: { $0.name < $1.name }) {
            throw .foreignOption(foreign)
        }
        if parsed.operands.count < command.operands.count {
            throw .missingOperand(command.operands[parsed.operands.count])
        }
        if command.operands.last?.isRepeated != true, parsed.operands.count > command.operands.count {
            throw .unwantedOperand(parsed.operands[command.operands.count])
        }
    }
}

/// Why the arguments are invalid. ``Texts`` contains the messages.
enum UsageError: Error, Equatable {
    case missingCommand
    case unknownCommand(String)
    case unknownOption(String)
    case foreignOption(OptionSpec)
    case missingValue(OptionSpec)
    case unwantedValue(OptionSpec)
    case missingOperand(OperandSpec)
    case unwantedOperand(String)
    case noNumber(String, OperandSpec)
    case noAddress(String, OptionSpec)
    case noChoice(String, OperandSpec, choices: [String])
    case unasked(OptionSpec)
    case noName(ProfileNameError)
}
