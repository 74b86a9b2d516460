/// Colours, where they are wanted.
struct Style: Sendable, Equatable {
    /// What a text is, not what it looks like.
    enum Role: String, Sendable {
        case title = "1"
        case id = "33"
        case completed = "2"
        case failure = "31"
        case action = "36"
    }

    /// Whether there are any.
    let isColourful: Bool

    /// No colours.
    static let plain = Style(isColourful: false)

    init(isColourful: Bool) {
        self.isColourful = isColourful
    }

    /// Colours for a terminal, unless the user has none of it.
    init(isTerminal: Bool, environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColourful = isTerminal && !isUnwanted && environment["TERM"] != "dumb"
    }

    /// Colours a text.
    func callAsFunction(_ role: Role, _ text: String) -> String {
        isColourful ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
