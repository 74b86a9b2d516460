/// A minimal terminal emulator that shows what a user would see: it turns the bytes of a program into a screen.
///
/// It records everything that it doesn't recognize, so that a test can expect there to be none.
struct TerminalEmulator: Sendable {
    private struct Screen: Sendable {
        var cells: [[String]]
        var row = 0
        var column = 0

        init(rows: Int, columns: Int) {
            cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        }
    }

    private(set) var rows: Int
    private(set) var columns: Int

    /// Whether the alternate screen is visible, instead of the main one.
    private(set) var isAlternate = false
    private(set) var isCursorShown = true
    private(set) var isWrapping = true
    private(set) var marksPastes = false

    /// Whether the screen contains a partial picture that must not be displayed.
    private(set) var isUpdating = false

    /// The number of complete pictures.
    private(set) var updateCount = 0

    /// The escape sequences that it doesn't recognize.
    private(set) var unknown: [String] = []

    /// The escape sequences for looks that were received.
    private(set) var looks: Set<String> = []

    /// The number of bytes received.
    private(set) var byteCount = 0

    private var screen: Screen
    private var mainScreen: Screen
    private var pending: [UInt8] = []
    /// The position of the last character, which the next one may join.
    private var last: (row: Int, column: Int)?

    init(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
        screen = Screen(rows: rows, columns: columns)
        mainScreen = screen
    }

    /// The visible text of each row, without trailing spaces.
    var lines: [String] {
        screen.cells.map { cells in
            let text = cells.joined()
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }
    }

    /// The visible text.
    var text: String { lines.joined(separator: "\n") }

    /// The position of the next character.
    var cursor: (row: Int, column: Int) { (screen.row, screen.column) }

    /// Whether everything is in the state in which a program must leave it.
    var isLeftAsBefore: Bool { !isAlternate && isCursorShown && isWrapping && !marksPastes && !isUpdating }

    /// Resizes the terminal, as when its window is resized. Whatever doesn't fit is lost.
    mutating func resize(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
        for keyPath in [\TerminalEmulator.screen, \.mainScreen] {
            var other = Screen(rows: rows, columns: columns)
            for (row, cells) in self[keyPath: keyPath].cells.prefix(rows).enumerated() {
                other.cells[row].replaceSubrange(0..<min(columns, cells.count), with: cells.prefix(columns))
            }
            self[keyPath: keyPath] = other
        }
    }

    /// Processes the output of a program.
    mutating func take(_ bytes: [UInt8]) {
        byteCount += bytes.count
        pending += bytes
        var rest = pending[...]
        while let length = take(rest) { rest = rest.dropFirst(length) }
        pending = Array(rest)
    }

    /// Processes the first sequence or character.
    ///
    /// - Returns: Its number of bytes, or nil if it isn't complete.
    private mutating func take(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        if first == 0x1B { return takeSequence(bytes) }
        if first < 0x20 {
            last = nil
            control(first)
            return 1
        }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard bytes.count >= length else { return nil }
        for scalar in String(decoding: bytes.prefix(length), as: UTF8.self).unicodeScalars { put(scalar) }
        return length
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x0D: screen.column = 0
        case 0x0A:
            screen.row += 1
            if screen.row == rows {
                screen.cells.removeFirst()
                screen.cells.append(Array(repeating: " ", count: columns))
                screen.row -= 1
            }
        case 0x08: screen.column = max(0, screen.column - 1)
        default: break
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if let last {
            let joined = screen.cells[last.row][last.column] + String(scalar)
            if joined.count == 1 { return screen.cells[last.row][last.column] = joined }
        }
        let width = scalar.isWide ? 2 : 1
        if screen.column + width > columns {
            guard isWrapping else { return }
            control(0x0D)
            control(0x0A)
        }
        guard screen.row < rows, screen.column + width <= columns else { return }
        // A wide character that is cut in two disappears.
        if screen.cells[screen.row][screen.column].isEmpty { screen.cells[screen.row][screen.column - 1] = " " }
        let behind = screen.column + width
        if behind < columns, screen.cells[screen.row][behind].isEmpty { screen.cells[screen.row][behind] = " " }
        screen.cells[screen.row][screen.column] = String(scalar)
        if width == 2 { screen.cells[screen.row][screen.column + 1] = "" }
        last = (screen.row, screen.column)
        screen.column += width
    }

    private mutating func takeSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
        let body = bytes.dropFirst()
        guard let kind = body.first else { return nil }
        last = nil
        guard kind == UInt8(ascii: "[") else {
            unknown.append(String(decoding: bytes.prefix(2), as: UTF8.self))
            return 2
        }
        guard let end = body.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let parameters = String(decoding: body[(body.startIndex + 1)..<end], as: UTF8.self)
        obey(parameters, Character(Unicode.Scalar(bytes[end])))
        return end - bytes.startIndex + 1
    }

    private mutating func obey(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch (final, parameters) {
        case ("H", _):
            screen.row = min(max(1, numbers.first ?? 1), rows) - 1
            screen.column = min(max(1, numbers.dropFirst().first ?? 1), columns) - 1
        case ("G", _): screen.column = min(max(1, numbers.first ?? 1), columns) - 1
        case ("K", "2"): screen.cells[screen.row] = Array(repeating: " ", count: columns)
        case ("J", "2"): screen.cells = Screen(rows: rows, columns: columns).cells
        case ("J", ""), ("J", "0"), ("K", ""), ("K", "0"):
            for column in screen.column..<columns { screen.cells[screen.row][column] = " " }
        case ("m", _): looks.insert(parameters)
        case ("h", "?1049"), ("l", "?1049"):
            if (final == "h") != isAlternate { swap(&screen, &mainScreen) }
            isAlternate = final == "h"
        case ("h", "?25"), ("l", "?25"): isCursorShown = final == "h"
        case ("h", "?7"), ("l", "?7"): isWrapping = final == "h"
        case ("h", "?2004"), ("l", "?2004"): marksPastes = final == "h"
        case ("h", "?2026"), ("l", "?2026"):
            if isUpdating, final == "l" { updateCount += 1 }
            isUpdating = final == "h"
        default: unknown.append("ESC[\(parameters)\(final)")
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isWide: Bool {
        properties.isEmojiPresentation || (0x2E80...0xA4CF).contains(value) || (0xAC00...0xD7A3).contains(value)
            || (0xFF01...0xFF60).contains(value)
    }
}
