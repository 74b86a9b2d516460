import ReluxTesting
import Testing

@testable import sample_cli

@Suite struct KeyParserTests {
    private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

    /// The keys of bytes that arrive at once, with nothing after them.
    private func keys(_ bytes: [UInt8]) -> [Key] {
        var parser = KeyParser()
        return parser.take(bytes) + parser.flush()
    }

    @Test(
        arguments: [
            ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left), ("\u{1B}OM", .enter),
            ("\u{1B}[H", .home), ("\u{1B}[F", .end), ("\u{1B}[1~", .home), ("\u{1B}[4~", .end), ("\u{1B}[7~", .home),
            ("\u{1B}[8~", .end), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete),
            ("\u{1B}[1;2A", .shiftUp), ("\u{1B}[1;6B", .shiftDown), ("\u{1B}[a", .shiftUp), ("\u{1B}[1;5A", .up),
            ("\u{1B}[1;2H", .home), ("\u{1B}[3;2~", .delete), ("\u{1B}[1;99999999999999999999B", .down),
            ("\u{1B}[Z", .backTab), ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace),
            ("\u{8}", .backspace), ("\u{3}", .control("c")), ("\u{1C}", .control("\\")), ("\0", .unknown),
            ("\u{1B}", .escape), ("\u{1B}x", .unknown), ("\u{1B}[", .unknown), ("\u{1B}[15~", .unknown),
            ("\u{1B}[[A", .unknown), ("\u{1B}[?1;2c", .unknown), ("\u{1B}[12", .unknown), ("a", .character("a")),
            (" ", .character(" ")), ("é", .character("é")), ("牛", .character("牛")), ("😀", .character("😀")),
            ("\u{85}", .unknown),
        ] as [(String, Key)])
    func `bytes that arrive together are one key`(text: String, key: Key) {
        #expect(keys(text) == [key])
    }

    @Test func `keys may be split anywhere`() {
        let text = "a\u{1B}[A牛\u{1B}OB😀\u{1B}[5~é\u{1B}[200~x\ny\u{1B}[201~q"
        let expected: [Key] = [
            .character("a"), .up, .character("牛"), .down, .character("😀"), .pageUp, .character("é"), .pasted("x\ny"),
            .character("q"),
        ]
        let bytes = Array(text.utf8)

        for cut in 0...bytes.count {
            var parser = KeyParser()
            let keys = parser.take(bytes[..<cut]) + parser.take(bytes[cut...])
            #expect(keys == expected, "cut at \(cut)")
            #expect(parser == KeyParser())
        }
        var parser = KeyParser()
        #expect(bytes.flatMap { parser.take([$0]) } == expected)
    }

    @Test func `only what may be the escape key depends on time`() {
        for (text, isAmbiguous) in [
            ("\u{1B}", true), ("\u{1B}[", true), ("\u{1B}O", true), ("\u{1B}[1;", true), ("\u{1B}[[", true),
            ("a", false), ("\u{1B}[A", false), ("\u{1B}[200~x", false), ("\u{1B}[200~x\u{1B}", true),
            ("\u{1B}[200~x\u{3}", true), ("\u{1B}[200~x\u{1B}[201", false), ("\u{1B}[200~\u{3}x", false),
        ] {
            var parser = KeyParser()
            _ = parser.take(text.utf8)
            #expect(parser.isAmbiguous == isAmbiguous, "\(text.debugDescription)")
        }
    }

    @Test func `the escape key may be followed by others`() {
        #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
        #expect(keys("\u{1B}\r") == [.escape, .enter])
        #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
        var parser = KeyParser()
        #expect(
            parser.take("\u{1B}".utf8) + parser.flush() + parser.take("[A".utf8) == [
                .escape, .character("["), .character("A"),
            ])
    }

    @Test func `bytes that aren't text become replacement characters, and swallow nothing`() {
        let lost = Key.character("\u{FFFD}")

        #expect(keys([0xFF, 0x61]) == [lost, .character("a")])
        #expect(keys([0x80]) == [lost])
        #expect(keys([0xC0, 0xAF]) == [lost])
        #expect(keys([0xE7, 0x89, 0x61]) == [lost, .character("a")])
        #expect(keys([0xE7, 0x1B, 0x5B, 0x41]) == [lost, .up])
        #expect(keys([0xF4, 0x90, 0x80, 0x80]) == [lost], "beyond the last character")
    }

    @Test func `an incomplete or endless sequence swallows no key`() {
        #expect(keys("\u{1B}[1\u{1B}[A") == [.unknown, .up])
        #expect(keys("\u{1B}[\r") == [.unknown, .enter])
        #expect(keys("\u{1B}O\u{3}") == [.unknown, .control("c")])
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 34)) == [.unknown, .character("1"), .character("1")])
    }

    @Test func `pasted text contains no keys, and the end of a very long one is found`() {
        #expect(keys("\u{1B}[200~q\u{3}\u{1B}[A\u{1B}[201~") == [.pasted("q\u{3}\u{1B}[A")])
        let long = String(repeating: "x", count: KeyParser.longestPaste + 1_000)
        var parser = KeyParser()

        let keys = parser.take("\u{1B}[200~\(long)".utf8) + parser.take("\u{1B}[201~a".utf8)

        // Compared separately, because the difference would be unreadable.
        let isRight = keys == [.pasted(String(long.prefix(KeyParser.longestPaste))), .character("a")]
        #expect(isRight)
    }

    @Test(arguments: ["\u{1B}", "\u{3}"])
    func `pasted text whose end is missing ends with Escape or control-C`(key: String) {
        for cut in 0...8 {
            let bytes = Array("\u{1B}[200~x\u{1B}[A".utf8)
            var parser = KeyParser()
            #expect(parser.take(bytes[..<cut]) + parser.take(bytes[cut...]) + parser.flush() == [])

            #expect(parser.take(key.utf8) == [])
            #expect(parser.flush() == [.pasted("x\u{1B}[A")])

            #expect(parser == KeyParser() && parser.take("q\u{3}".utf8) == [.character("q"), .control("c")])
        }
    }

    @Test func `no bytes stop it, whatever they are`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let bytes = (0..<64).map { _ in
                [0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, UInt8.random(in: 0...255, using: &generator)].randomElement(
                    using: &generator) ?? 0
            }
            var parser = KeyParser()
            _ = parser.take(bytes)
            // Ends a paste, if there is one, and any sequence, so that an ordinary key is one again.
            _ = parser.take("\u{1B}[201~".utf8) + parser.flush()
            #expect(parser.take("q".utf8).last == .character("q"), "\(bytes)")
        }
    }
}
