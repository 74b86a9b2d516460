/// Takes bytes as they come, and makes lines of them.
struct LineSplitter {
    /// How many bytes a line may have, so that a text that never ends one doesn't fill the memory.
    static let longestLine = 65_536

    /// Why there are no more lines.
    enum Flaw: Error, Equatable {
        case invalidUTF8(line: Int)
        case longLine(line: Int)
    }

    /// The lines that are complete and nobody has taken yet.
    private(set) var lines: [String] = []

    /// What is wrong with the line after those, if anything.
    private(set) var flaw: Flaw?

    private var rest: [UInt8] = []
    private var count = 0

    /// Takes more of the text.
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

    /// Takes note that the text is over.
    mutating func finish() {
        if flaw == nil, !rest.isEmpty { endLine() }
    }

    /// Gives the first lines away.
    mutating func take(_ count: Int) -> [String] {
        let taken = Array(lines.prefix(count))
        lines.removeFirst(taken.count)
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
        } else {
            flaw = .invalidUTF8(line: count)
        }
        rest.removeAll(keepingCapacity: true)
    }
}
