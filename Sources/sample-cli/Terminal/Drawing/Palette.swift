import SampleServices

/// The role of a text on the screen. A ``Palette`` determines its appearance.
enum Look: Sendable, Hashable {
    case plain
    case title
    /// Less important text: completed items, offline users, hints.
    case faint
    case accent
    case failure
    /// A colour that is itself the information.
    case colour(red: UInt8, green: UInt8, blue: UInt8)
}

/// The appearance of lines: a theme, or no colours.
struct Palette: Sendable, Hashable {
    var theme: UserSettings.Theme
    let isColourful: Bool

    /// Enables colours unless `NO_COLOR` is set. Attributes other than colours are always used.
    init(theme: UserSettings.Theme = .pilbara, environment: [String: String]) {
        self.theme = theme
        isColourful = environment["NO_COLOR"].map(\.isEmpty) ?? true
    }

    /// The output that shows a line in an empty row of a terminal.
    ///
    /// Terminals disagree about the width of some characters. The cursor is placed explicitly behind them, so that the
    /// rest of the row is where it should be.
    func output(of line: Line, width: Int) -> String {
        var output = ""
        var column = 0
        for span in line.spans(fitting: width) {
            output += sequence(for: span.look, isInverse: span.isInverse)
            for character in span.text {
                output.append(character)
                column += character.columns
                if !character.isPlain { output += "\u{1B}[\(column + 1)G" }
            }
        }
        return output
    }

    /// The escape sequence that selects a look, independent of the previous one.
    func sequence(for look: Look, isInverse: Bool = false) -> String {
        let codes = ["0"] + codes(for: look) + (isInverse ? ["7"] : [])
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private func codes(for look: Look) -> [String] {
        switch look {
        case .plain: []
        case .title: isColourful ? ["1", "38;5;\(colours.title)"] : ["1"]
        case .faint: ["2"]
        case .accent: isColourful ? ["38;5;\(colours.accent)"] : ["1"]
        case .failure: isColourful ? ["1", "31"] : ["1"]
        case .colour(let red, let green, let blue): isColourful ? ["38;2;\(red);\(green);\(blue)"] : []
        }
    }

    /// Indexes in the 256-colour palette: red earth, or deep water.
    private var colours: (title: Int, accent: Int) {
        switch theme {
        case .pilbara: (166, 214)
        case .collaroy: (31, 80)
        }
    }
}
