/// A line of the screen: pieces of text, from left to right.
///
/// Views return lines and don't care about the width: a ``Palette`` clips what is too long, makes control characters
/// visible, and turns lines into the output for a terminal.
struct Line: Sendable, Hashable {
    /// A piece of text with one look.
    struct Span: Sendable, Hashable {
        var text: String
        var look: Look
        var isInverse = false
    }

    private(set) var spans: [Span]
    /// Whether the cursor of a list is on the line. The line is then inverse in its whole width.
    var isSelected = false

    init(_ text: String = "", _ look: Look = .plain, isSelected: Bool = false) {
        spans = []
        self.isSelected = isSelected
        append(text, look)
    }

    mutating func append(_ text: String, _ look: Look = .plain, isInverse: Bool = false) {
        if !text.isEmpty { spans.append(Span(text: text, look: look, isInverse: isInverse)) }
    }

    /// The number of columns that the line would occupy if there were enough space.
    var columns: Int { spans.reduce(0) { $0 + $1.text.visible.columns } }

    /// The spans that are visible in a width. The last one may end in an ellipsis.
    func spans(fitting width: Int) -> [Span] {
        var room = width
        var fitting: [Span] = []
        for var span in spans where room > 0 {
            span.text = span.text.fitted(to: room)
            span.isInverse = span.isInverse || isSelected
            room -= span.text.columns
            fitting.append(span)
        }
        if isSelected, room > 0 {
            fitting.append(Span(text: String(repeating: " ", count: room), look: .plain, isInverse: true))
        }
        return fitting
    }
}

extension [String] {
    /// The texts, wrapped to lines of a width.
    func lines(width: Int, _ look: Look) -> [Line] {
        flatMap { $0.wrapped(to: width) }.map { Line($0, look) }
    }
}
