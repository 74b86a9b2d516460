import Foundation

/// Asks the user to confirm an action whose extent isn't obvious.
struct Question: Sendable {
    enum Answer: Sendable, Equatable {
        case yes
        case no
        case unclear

        /// Interprets an answer. An empty or missing answer is a no.
        init(_ text: String?) {
            self =
                switch (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
                case "y", "yes": .yes
                case "", "n", "no": .no
                default: .unclear
                }
        }
    }

    /// The number of unclear answers that count as a no.
    static let patience = 3

    /// The question, including its question mark.
    let text: String
    let console: Console

    /// Asks the question, and returns whether the answer is yes.
    func isAnsweredWithYes() async -> Bool {
        for _ in 0..<Self.patience {
            console.error("\(text) [y/N] ")
            let answer = await console.answer()
            // At the end of the input, the cursor is still in the line of the question.
            if answer == nil { console.error("\n") }
            switch Answer(answer) {
            case .yes: return true
            case .no: return false
            case .unclear: console.error(Texts.unclearAnswer + "\n")
            }
        }
        return false
    }
}
