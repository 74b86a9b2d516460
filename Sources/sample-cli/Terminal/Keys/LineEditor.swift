/// A line of text that is being edited, with a cursor.
struct LineEditor: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        case nothing
        /// The text changed or the cursor moved.
        case edited
        case committed
        case cancelled
    }

    private(set) var text: String
    /// The number of characters before the cursor.
    private(set) var cursor: Int

    init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

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

    /// The part of the text around the cursor that fits a number of columns. The cursor occupies one even at the end.
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

    /// The characters are counted again afterwards, because a combining mark merges with the previous character.
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

    /// Pasted text as one line, with line breaks and control characters replaced by spaces.
    private static func line(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
            .unicodeScalars.reduce(into: "") { line, scalar in
                let isControl = scalar.properties.generalCategory == .control
                line.unicodeScalars.append(isControl ? " " : scalar)
            }
    }
}
