/// A part of the screen: a plain value that displays its props and fires its callbacks when keys are pressed.
///
/// It also owns transient state, such as the cursor of a list and the text being written. It knows neither the source
/// of its props nor the targets of its callbacks.
@MainActor protocol ScreenView {
    /// The prompt that replaces the hints in the bottom line, or nil. While there is one, the view receives all keys.
    var prompt: Prompt? { get }

    var hints: String { get }

    /// Handles a key, and returns whether it has a meaning here.
    mutating func handle(_ key: Key) -> Bool

    /// The visible lines, at most as many as there are rows. Asking for them may update the scroll position.
    mutating func lines(_ size: TerminalSize) -> [Line]
}

/// A question or a text input in one line.
enum Prompt: Sendable, Hashable {
    case question(String)
    /// A text input with its cursor, preceded by a label.
    case text(label: String, LineEditor)

    func line(width: Int) -> Line {
        switch self {
        case .question(let text): return Line(text, .accent)
        case .text(let label, let editor):
            // The label is omitted if it would leave less than half of the space to the text.
            var line = Line(label.columns + 1 > width / 2 ? "" : "\(label) ", .accent)
            let window = editor.window(width: width - line.columns)
            line.append(window.before)
            line.append(window.at, isInverse: true)
            line.append(window.after)
            return line
        }
    }
}

extension Key {
    /// Whether the key answers a question with yes.
    var isYes: Bool { self == .character("y") || self == .character("Y") }
}
