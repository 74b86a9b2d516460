/// An error in JSON, for scripts, on standard error. Its format is part of the program's contract: see
/// ``Texts/errorJSONNote``.
struct ErrorJSON: JSONLine {
    /// A word that stays the same, whatever becomes of the message.
    let code: String

    /// What people are told, in one line.
    let message: String

    init(code: String, lines: [String]) {
        self.code = code
        message = lines.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
    }
}
