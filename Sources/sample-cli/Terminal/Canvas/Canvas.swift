/// The contents of a screen: rows of cells. A pure value, written to a terminal by a ``FrameWriter``.
///
/// Anything drawn outside is clipped, so that callers don't have to check for space.
struct Canvas: Sendable, Equatable {
    struct Cell: Sendable, Equatable {
        /// The displayed character, or nil in the right half of a wide character.
        var text: Character? = " "
        var look = Look.plain
    }

    let size: TerminalSize
    private(set) var cells: [Cell]

    init(_ size: TerminalSize) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.rows * size.columns)
    }

    func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// The text of a row, without trailing spaces.
    func text(inRow row: Int) -> String {
        let text = String(self.row(row).compactMap(\.text))
        return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }

    /// Writes text into the first row of an area, and returns the rest of the area to the right of it. Control
    /// characters are made visible. Text that is too long is truncated with an ellipsis.
    @discardableResult
    mutating func write(_ text: String, in area: Area, _ look: Look = .plain) -> Area {
        let text = text.visible
        var column = area.column
        var end = min(area.column + area.width, size.columns)
        let isVisible = area.height > 0 && (0..<size.rows).contains(area.row) && area.column >= 0
        guard isVisible, column < end else { return area.columns(from: 0) }
        // Only as much of the text as fits is measured, because it may be much longer.
        let isTooLong = Self.isLonger(text, than: end - column)
        if isTooLong { end -= 1 }
        for character in text {
            let width = character.columns
            if width == 0, character.unicodeScalars.allSatisfy(\.isMark) {
                // A combining mark without a base character.
                put(Character("\u{25CC}" + String(character)), 1, area.row, &column, end, look)
            } else if width > 0 {
                if column + width > end { break }
                put(character, width, area.row, &column, end, look)
            }
        }
        if isTooLong {
            end += 1
            while column < end - 1 { put(" ", 1, area.row, &column, end, look) }
            put("…", 1, area.row, &column, end, look)
        }
        return area.columns(from: column - area.column)
    }

    /// Sets the look of all cells in an area, without changing their text.
    mutating func paint(_ area: Area, _ look: Look) {
        let rows = (area.row..<area.row + area.height).clamped(to: 0..<size.rows)
        let columns = (area.column..<area.column + area.width).clamped(to: 0..<size.columns)
        for row in rows {
            for column in columns { cells[row * size.columns + column].look = look }
        }
    }

    private mutating func put(
        _ character: Character, _ width: Int, _ row: Int, _ column: inout Int, _ end: Int, _ look: Look
    ) {
        guard column + width <= end else { return }
        let index = row * size.columns + column
        separate(index)
        separate(index + width)
        cells[index] = Cell(text: character, look: look)
        if width == 2 { cells[index + 1] = Cell(text: nil, look: look) }
        column += width
    }

    /// Clears a wide character that would be split at an index.
    private mutating func separate(_ index: Int) {
        guard index > 0, index < cells.count, cells[index].text == nil else { return }
        cells[index - 1].text = " "
        cells[index].text = " "
    }

    private static func isLonger(_ text: String, than columns: Int) -> Bool {
        var rest = columns
        for character in text {
            rest -= character.columns
            if rest < 0 { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a mark above, below, or around a base character.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}
