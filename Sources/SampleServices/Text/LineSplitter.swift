/// Splits a stream of bytes into lines.
struct LineSplitter {
    /// The maximum length of a line in bytes, so that a text without line endings doesn't fill the memory.
    static let longestLine = 65_536

    /// Why there are no more lines.
    enum Flaw: Error, Equatable {
        case invalidUTF8(line: Int)
        case longLine(line: Int)
    }

    /// The complete lines that haven't been taken yet.
    private(set) var lines: [String] = []

    /// The size of these lines in bytes.
    private(set) var size = 0

    /// What is wrong with the line after those, or nil.
    private(set) var flaw: Flaw?

    private var rest: [UInt8] = []
    private var count = 0

    /// Adds the next bytes of the text.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        var bytes = bytes
        while flaw == nil, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            rest += bytes[..<end]
            bytes = bytes[(end + 1)...]
            endLine()
        }
        guard flaw == nil else { return }
        rest += bytes
        if rest.count > Self.longestLine + 1 { flaw = .longLine(line: count + 1) }
    }

    /// Marks the end of the text.
    mutating func finish() {
        if flaw == nil, !rest.isEmpty { endLine() }
    }

    /// Removes and returns the first lines.
    mutating func take(_ count: Int) -> [String] {
        let taken = Array(lines.prefix(count))
        lines.removeFirst(taken.count)
        size -= taken.reduce(0) { $0 + $1.utf8.count }
        return taken
    }

    private mutating func endLine() {
        count += 1
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        if count == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
        if rest.count > Self.longestLine {
            flaw = .longLine(line: count)
        } else if let line = String(validating: rest, as: UTF8.self) {
            lines.append(line)
            size += line.utf8.count
        } else {
            flaw = .invalidUTF8(line: count)
        }
        rest.removeAll(keepingCapacity: true)
    }
}
