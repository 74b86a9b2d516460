/// What is on a screen: rows of cells. A pure value; a ``FrameWriter`` brings it to a terminal.
///
/// Everything drawn outside is left out, so that nothing has to ask first whether there is room.
struct Canvas: Sendable, Equatable {
    /// One column of one row.
    struct Cell: Sendable, Equatable {
        /// What is seen; nil in the right half of a wide character.
        var text: Character? = " "
        var look = Look.plain
    }

    let size: TerminalSize
    private(set) var cells: [Cell]

    /// Makes an empty one.
    init(_ size: TerminalSize) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.rows * size.columns)
    }

    /// The cells of a row.
    func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// What is to be read in a row, without the spaces at its end.
    func text(inRow row: Int) -> String {
        let text = String(self.row(row).compactMap(\.text))
        return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }

    /// Writes a text into the first row of an area.
    ///
    /// What would command the terminal is made visible. A text that is too long ends with an ellipsis.
    ///
    /// - Returns: The rest of the area's row, right of what was written.
    @discardableResult
    mutating func write(_ text: String, in area: Area, _ look: Look = .plain) -> Area {
        let text = text.visible
        var column = area.column
        var end = min(area.column + area.width, size.columns)
        let isVisible = area.height > 0 && (0..<size.rows).contains(area.row) && area.column >= 0
        guard isVisible, column < end else { return area.columns(from: 0) }
        // Looking only as far as there is room: the text may be much longer.
        let isTooLong = Self.isLonger(text, than: end - column)
        if isTooLong { end -= 1 }
        for character in text {
            let width = character.columns
            if width == 0, character.unicodeScalars.allSatisfy(\.isMark) {
                // A mark without anything to stand on.
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

    /// Gives all cells of an area one look, and leaves what is to be read.
    mutating func paint(_ area: Area, _ look: Look) {
        let rows = Self.common(area.row, area.height, size.rows)
        let columns = Self.common(area.column, area.width, size.columns)
        for row in rows {
            for column in columns { cells[row * size.columns + column].look = look }
        }
    }

    /// What of a stretch lies between zero and a limit.
    private static func common(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
        let first = min(max(0, start), limit)
        return first..<max(first, min(start + length, limit))
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

    /// Lets nothing of a wide character stay that a cell from an index on would cut in two.
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
    /// Whether it stands above, below or around a character.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}
