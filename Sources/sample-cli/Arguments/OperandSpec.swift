/// A positional argument of a command.
struct OperandSpec: Sendable, Hashable {
    enum Count: Sendable {
        case one
        /// Once or several times. Only allowed for the last operand of a command.
        case many
    }

    /// The placeholder in help pages, in capitals.
    let name: String
    var count: Count = .one
    /// The words that are allowed, or none if any are.
    var choices: [String] = []
    /// One sentence for the help page.
    let explanation: String

    /// The notation in help pages: `ID…`.
    var usage: String {
        count == .many ? "\(name)…" : name
    }
}
