/// Asks a person before something is done that can't be seen at a glance.
struct Question: Sendable {
    /// What an answer means.
    enum Answer: Sendable, Equatable {
        case yes
        case no
        /// Neither.
        case unclear

        /// Understands an answer. An empty one is a no, and so is none.
        init(_ text: String?) {
            var letters = (text ?? "")[...]
            letters.trim(while: \.isWhitespace)
            self =
                switch letters.lowercased() {
                case "y", "yes": .yes
                case "", "n", "no": .no
                default: .unclear
                }
        }
    }

    /// How often an answer may be unclear before it counts as a no.
    static let patience = 3

    /// What is asked, with its question mark.
    let text: String

    let console: Console

    /// Asks, and waits for the answer.
    ///
    /// - Returns: Whether it is a yes.
    func isAnsweredWithYes() async -> Bool {
        for _ in 0..<Self.patience {
            console.error("\(text) [y/N] ")
            let answer = await console.answer()
            // Where nobody has pressed the return key the line is still open.
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

extension Substring {
    fileprivate mutating func trim(while isTrimmed: (Character) -> Bool) {
        self = drop(while: isTrimmed)
        while let last, isTrimmed(last) { removeLast() }
    }
}
