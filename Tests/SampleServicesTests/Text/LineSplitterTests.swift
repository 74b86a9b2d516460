import Testing

@testable import SampleServices

@Suite struct LineSplitterTests {
    /// The lines of a text that arrives in chunks of a given size.
    private func split(_ bytes: [UInt8], by size: Int) -> LineSplitter {
        var splitter = LineSplitter()
        for start in stride(from: 0, to: bytes.count, by: size) {
            splitter.append(bytes[start..<min(start + size, bytes.count)])
        }
        splitter.finish()
        return splitter
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `lines end with all usual line endings, wherever the text is divided into chunks`(size: Int) {
        let text = "\u{FEFF}One\r\n\nÜ – 🧭\r\n \rtwo\r\n\u{FEFF}last"

        let splitter = split(Array(text.utf8), by: size)

        #expect(splitter.lines == ["One", "", "Ü – 🧭", " \rtwo", "\u{FEFF}last"])
        #expect(splitter.flaw == nil)
    }

    @Test(arguments: [([], []), (Array("\n".utf8), [""]), (Array("a".utf8), ["a"])] as [([UInt8], [String])])
    func `the end of a text ends its last line`(bytes: [UInt8], lines: [String]) {
        #expect(split(bytes, by: 4).lines == lines)
    }

    @Test(arguments: [1, 5, 100]) func `a line that isn't text ends it, and the lines before it are kept`(size: Int) {
        let splitter = split(Array("a\nb\n".utf8) + [0xFF, 0x0A] + Array("c\n".utf8), by: size)

        #expect(splitter.lines == ["a", "b"])
        #expect(splitter.flaw == .invalidUTF8(line: 3))
    }

    @Test func `an incomplete character at the end isn't text either`() {
        #expect(split([0x61, 0x0A, 0xC3], by: 1).flaw == .invalidUTF8(line: 2))
    }

    @Test(arguments: [1_000, 100_000]) func `a line without an end doesn't fill the memory`(size: Int) {
        let longest = [UInt8](repeating: 0x61, count: LineSplitter.longestLine)

        let good = split(longest + [0x0D, 0x0A], by: size)
        let bad = split([0x0A] + longest + [0x61, 0x0A], by: size)
        let endless = split(longest + longest, by: size)

        #expect(good.lines.map(\.utf8.count) == [LineSplitter.longestLine] && good.flaw == nil)
        #expect(bad.lines == [""] && bad.flaw == .longLine(line: 2))
        #expect(endless.lines == [] && endless.flaw == .longLine(line: 1))
    }

    @Test func `lines are returned once, in their order`() {
        var splitter = split(Array("a\nb\nc".utf8), by: 10)

        #expect(splitter.take(2) == ["a", "b"] && splitter.take(2) == ["c"] && splitter.take(2) == [])
    }
}
