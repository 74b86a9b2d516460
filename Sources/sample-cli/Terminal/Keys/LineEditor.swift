/// A line of text that is being written, with a cursor in it.
struct LineEditor: Sendable, Hashable {
    /// What a key has done.
    enum Outcome: Sendable, Hashable {
        /// Nothing; the key means nothing here.
        case nothing
        /// The text is another one, or the cursor has moved.
        case edited
        /// The text is complete.
        case committed
        /// Nobody wants it any more.
        case cancelled
    }

    /// What is written so far.
    private(set) var text: String

    /// How many characters stand before the cursor.
    private(set) var cursor: Int

    /// Begins with a text, and the cursor behind it.
    init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    /// Does what a key says.
    mutating func take(_ key: Key) -> Outcome {
        switch key {
        case .enter: return .committed
        case .escape: return .cancelled
        case .character(let character): insert(String(character))
        case .pasted(let text): insert(Self.line(of: text))
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .backspace, .control("h"): remove(max(0, cursor - 1)..<cursor)
        case .delete, .control("d"): remove(cursor..<min(text.count, cursor + 1))
        case .control("u"): remove(0..<cursor)
        case .control("k"): remove(cursor..<text.count)
        case .control("w"): remove(startOfWord..<cursor)
        default: return .nothing
        }
        return .edited
    }

    /// A part of the text that has room in a width, the cursor in it.
    ///
    /// - Parameter width: How many columns there are. The cursor takes one, also behind the text.
    /// - Returns: What is left of the cursor, what it stands on, and what is right of it.
    func window(width: Int) -> (before: String, at: String, after: String) {
        let characters = Array(text)
        let at = cursor < characters.count ? String(characters[cursor]) : " "
        var room = width - at.columns
        var start = cursor
        while start > 0, room >= characters[start - 1].columns {
            start -= 1
            room -= characters[start].columns
        }
        let before = String(characters[start..<cursor])
        return (before, at, String(characters.dropFirst(cursor + 1)))
    }

    /// Counted anew: a mark joins the character before it.
    private mutating func insert(_ new: String) {
        let index = text.index(text.startIndex, offsetBy: cursor)
        let rest = text[index...].count
        text.insert(contentsOf: new, at: index)
        cursor = max(0, text.count - rest)
    }

    private mutating func remove(_ range: Range<Int>) {
        var characters = Array(text)
        characters.removeSubrange(range)
        text = String(characters)
        cursor = min(range.lowerBound, text.count)
    }

    private var startOfWord: Int {
        let characters = Array(text.prefix(cursor))
        let end = characters.lastIndex { !$0.isWhitespace } ?? 0
        return characters[..<end].lastIndex { $0.isWhitespace }.map { $0 + 1 } ?? 0
    }

    /// A pasted text as one line: what would break it becomes a space.
    private static func line(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
            .unicodeScalars.reduce(into: "") { line, scalar in
                let isControl = scalar.properties.generalCategory == .control
                line.unicodeScalars.append(isControl ? " " : scalar)
            }
    }
}
