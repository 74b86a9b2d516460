import Relux

/// A part of the screen: a plain value that shows its props, and calls its callbacks when keys are pressed.
///
/// What it keeps besides is its own: where the cursor of a list is, and the text that is being written. It knows
/// nothing of where the props come from and where the callbacks lead to.
protocol ScreenView: Sendable {
    associatedtype Props: Relux.UI.ViewProps
    associatedtype Callbacks: Relux.UI.ViewCallbacks

    /// What it shows. A newer value may come at any moment.
    var props: Props { get set }

    /// What it can do.
    var callbacks: Callbacks { get }

    /// What stands in the bottom line in place of the hints: it gets all keys then.
    var prompt: Prompt? { get }

    /// Which keys mean something.
    var hints: String { get }

    /// Does what a key says.
    ///
    /// - Returns: Whether it means anything here.
    mutating func handle(_ key: Key) -> Bool

    /// Draws itself. It may remember how far it was scrolled.
    mutating func draw(on canvas: inout Canvas, in area: Area)
}

/// A question to be answered, or a text to be written, in one line.
enum Prompt: Sendable, Hashable {
    /// Anything but yes means no.
    case question(String)

    /// A text with its cursor, behind what it is for.
    case text(label: String, LineEditor)
}

extension Prompt {
    /// Draws it.
    func draw(on canvas: inout Canvas, in area: Area) {
        switch self {
        case .question(let text): canvas.write(text, in: area, .accent)
        case .text(let label, let editor):
            // A label leaves at least half of the room to the text.
            let label = label.columns + 1 > area.width / 2 ? "" : "\(label) "
            let rest = canvas.write(label, in: area, .accent)
            let window = editor.window(width: rest.width)
            let cursor = canvas.write(window.before, in: rest)
            let after = canvas.write(window.at, in: cursor, Look.plain.selected(true))
            canvas.write(window.after, in: after)
        }
    }
}

extension Key {
    /// Whether it answers a question with yes.
    var isYes: Bool { self == .character("y") || self == .character("Y") }
}
