/// Applies colours if they are enabled.
struct Style: Sendable, Equatable {
    /// The semantic role of a text.
    enum Role: String, Sendable {
        case title = "1"
        case id = "33"
        case completed = "2"
        case failure = "31"
    }

    let isColourful: Bool

    static let plain = Style(isColourful: false)

    init(isColourful: Bool) {
        self.isColourful = isColourful
    }

    /// Enables colours for a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    init(isTerminal: Bool, environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColourful = isTerminal && !isUnwanted && environment["TERM"] != "dumb"
    }

    func callAsFunction(_ role: Role, _ text: String) -> String {
        isColourful ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
