/// The arguments of a command, found to fit its specification.
struct ParsedArguments: Sendable, Equatable {
    /// The words, as many as the specification asks for.
    var operands: [String] = []

    /// The options that were given, each with its value; the last one counts.
    var options: [OptionSpec: String] = [:]

    /// Whether an option was given.
    func contains(_ option: OptionSpec) -> Bool { options.keys.contains(option) }

    /// The first word.
    var first: String { operands.first ?? "" }

    /// The words from an index on, as one text.
    func text(from index: Int) -> String { operands.dropFirst(index).joined(separator: " ") }

    /// A word that has to be a whole number.
    func number(at index: Int, _ operand: OperandSpec) throws(UsageError) -> Int {
        let word = operands.dropFirst(index).first ?? ""
        guard let number = Int(word) else { throw .noNumber(word, operand) }
        return number
    }
}
