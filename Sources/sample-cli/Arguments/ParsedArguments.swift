/// The arguments of a command, checked against its specification.
struct ParsedArguments: Sendable, Equatable {
    /// The operands, as many as the specification requires.
    var operands: [String] = []
    /// The given options with their values. If an option is repeated, its last value is used.
    var options: [OptionSpec: String] = [:]

    func contains(_ option: OptionSpec) -> Bool { options.keys.contains(option) }

    var first: String { operands.first ?? "" }

    /// The operands from an index on, joined by spaces.
    func text(from index: Int) -> String { operands.dropFirst(index).joined(separator: " ") }

    /// An operand that must be a number of something: 1 or more.
    func number(at index: Int, _ operand: OperandSpec) throws(UsageError) -> Int {
        let word = operands.dropFirst(index).first ?? ""
        guard let number = Int(word), number > 0 else { throw .noNumber(word, operand) }
        return number
    }

    /// All operands, which must be such numbers.
    func numbers(_ operand: OperandSpec) throws(UsageError) -> [Int] {
        try operands.indices.map { index throws(UsageError) in try number(at: index, operand) }
    }
}

extension OperandSpec {
    /// The value that a word stands for.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: String, of choices: Choice.Type
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: word) else {
            throw .noChoice(word, self, choices: choices.allCases.map(\.rawValue))
        }
        return choice
    }
}
