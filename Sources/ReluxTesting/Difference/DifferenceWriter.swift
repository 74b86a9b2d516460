/// Collects the lines of a difference.
struct DifferenceWriter {
    enum Mark: String {
        case expected = "-"
        case actual = "+"
        case both = " "
    }

    private static let lineLimit = 200
    private static let textLimit = 300

    private(set) var lines: [String] = []

    /// The number of differences written so far.
    private(set) var differences = 0

    private var level = 0
    private var unchanged = 0

    /// Whether the line limit has been reached, so that further comparison is pointless.
    var isFull: Bool { lines.count >= Self.lineLimit }

    mutating func skip(_ count: Int = 1) {
        unchanged += count
    }

    mutating func write(_ mark: Mark, lines: [String]) {
        guard !lines.isEmpty else { return }
        write(mark, "", lines)
    }

    mutating func write(_ mark: Mark, _ label: String, _ texts: [String]) {
        flush()
        if mark != .both { differences += 1 }
        for (index, text) in texts.enumerated() {
            append(mark, index == 0 && !label.isEmpty ? "\(label): \(text)" : text)
        }
    }

    /// Opens a block, which indents its lines.
    mutating func open(_ label: String, _ opening: String) -> Frame {
        let frame = Frame(lines: lines.count, unchanged: unchanged, differences: differences)
        write(.both, label, [opening])
        level += 1
        return frame
    }

    /// Closes a block, and removes it if it contains no difference.
    mutating func close(_ frame: Frame, _ closing: String) {
        flush()
        level -= 1
        append(.both, closing)
        guard differences == frame.differences else { return }
        lines.removeSubrange(frame.lines...)
        unchanged = frame.unchanged
    }

    /// The writer's state before a block was opened.
    struct Frame {
        fileprivate let lines: Int
        fileprivate let unchanged: Int
        fileprivate let differences: Int
    }

    private mutating func flush() {
        guard unchanged > 0 else { return }
        append(.both, "… (\(unchanged) unchanged)")
        unchanged = 0
    }

    private mutating func append(_ mark: Mark, _ text: String) {
        guard lines.count <= Self.lineLimit else { return }
        guard !isFull else {
            lines.append("  … (and more)")
            return
        }
        let shown = text.utf8.count > Self.textLimit ? text.prefix(Self.textLimit) + "…" : text[...]
        lines.append("\(mark.rawValue) \(String(repeating: "    ", count: level))\(shown)")
    }
}
