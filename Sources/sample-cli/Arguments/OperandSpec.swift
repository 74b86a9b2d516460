/// A word that a command takes in a certain place.
struct OperandSpec: Sendable, Hashable {
    /// How often the word may come.
    enum Count: Sendable {
        /// Exactly once.
        case one
        /// Once or several times; only the last operand of a command.
        case many
    }

    /// What stands for it in help, in capitals.
    let name: String

    /// How often it may come.
    var count: Count = .one

    /// One sentence for help.
    let explanation: String

    /// The way it is written: `ID…`.
    var usage: String {
        count == .many ? "\(name)…" : name
    }
}
