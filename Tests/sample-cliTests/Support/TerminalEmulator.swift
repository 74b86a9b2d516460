/// A minimal terminal emulator: it turns the bytes of a program into what a user would see.
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

    private static let initialModes: Set = ["?25", "?7"]
    private static let knownModes: Set = ["?25", "?7", "?1049", "?2004", "?2026"]

    private(set) var rows: Int
    private(set) var columns: Int
    private var modes = initialModes
    /// The number of complete pictures.
    private(set) var updateCount = 0
    /// The escape sequences that it doesn't recognize.
    private(set) var unknown: [String] = []
    /// The escape sequences for looks that were received.
    private(set) var looks: Set<String> = []

    private var screen: Screen
    private var pending: [UInt8] = []
    /// The position of the last character, which the next one may join.
    private var last: (row: Int, column: Int)?

    init(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
        screen = Screen(rows: rows, columns: columns)
    }

    /// The visible text of each row, without trailing spaces.
    var lines: [String] { screen.cells.map { $0.prefix(($0.lastIndex { $0 != " " } ?? -1) + 1).joined() } }

    /// The visible text.
    var text: String { lines.joined(separator: "\n") }

    /// Whether the screen contains a partial picture that must not be displayed.
    var isUpdating: Bool { modes.contains("?2026") }

    /// Whether it is in the modes of a full screen: an alternate screen without a cursor and without automatic line
    /// breaks, and marked pastes.
    var isFullScreen: Bool { modes == ["?1049", "?2004"] }

    /// Whether everything is in the state in which a program must leave it.
    var isLeftAsBefore: Bool { modes == Self.initialModes }

    /// Resizes the terminal, as when its window is resized. A program has to write everything again.
    mutating func resize(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
        screen = Screen(rows: rows, columns: columns)
        last = nil
    }

    /// Processes the output of a program.
    mutating func take(_ bytes: [UInt8]) {
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
        if first < 0x20 { last = nil }
        switch first {
        case 0x1B: return takeSequence(bytes)
        case 0x0D: screen.column = 0
        case 0x0A: feedLine()
        case 0x08: screen.column = max(0, screen.column - 1)
        case 0x20...:
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard bytes.count >= length else { return nil }
            for scalar in String(decoding: bytes.prefix(length), as: UTF8.self).unicodeScalars { put(scalar) }
            return length
        default: break
        }
        return 1
    }

    private mutating func feedLine() {
        screen.row += 1
        guard screen.row == rows else { return }
        screen.cells.removeFirst()
        screen.cells.append(Array(repeating: " ", count: columns))
        screen.row -= 1
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if let last {
            let joined = screen.cells[last.row][last.column] + String(scalar)
            if joined.count == 1 { return screen.cells[last.row][last.column] = joined }
        }
        let width = scalar.isWide ? 2 : 1
        if screen.column + width > columns {
            guard modes.contains("?7") else { return }
            screen.column = 0
            feedLine()
        }
        guard screen.row < rows, screen.column + width <= columns else { return }
        screen.cells[screen.row][screen.column] = String(scalar)
        if width == 2 { screen.cells[screen.row][screen.column + 1] = "" }
        last = (screen.row, screen.column)
        screen.column += width
    }

    private mutating func takeSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let kind = bytes.dropFirst().first else { return nil }
        guard kind == UInt8(ascii: "[") else {
            unknown.append(String(decoding: bytes.prefix(2), as: UTF8.self))
            return 2
        }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let parameters = String(decoding: bytes[..<end].dropFirst(2), as: UTF8.self)
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
        case ("J", ""), ("K", ""): for column in screen.column..<columns { screen.cells[screen.row][column] = " " }
        case ("m", _): looks.insert(parameters)
        case ("h", _) where Self.knownModes.contains(parameters):
            modes.insert(parameters)
        case ("l", _) where Self.knownModes.contains(parameters):
            guard modes.remove(parameters) != nil else { return }
            if parameters == "?1049" { screen = Screen(rows: rows, columns: columns) }
            if parameters == "?2026" { updateCount += 1 }
        default: unknown.append("ESC[\(parameters)\(final)")
        }
    }
}

extension Unicode.Scalar {
    /// Decided apart from the program, whose widths are tested with it.
    fileprivate var isWide: Bool {
        properties.isEmojiPresentation || (0x2E80...0xA4CF).contains(value) || (0xAC00...0xD7A3).contains(value)
            || (0xFF01...0xFF60).contains(value)
    }
}
