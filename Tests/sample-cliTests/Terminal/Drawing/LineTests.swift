import Testing

@testable import sample_cli

@Suite struct LineTests {
    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("牛乳", 4, "牛乳"), ("牛乳", 3, "牛…"),
        ("牛乳を", 4, "牛…"), ("牛", 1, "…"), ("a\u{301}b", 2, "a\u{301}b"), ("\u{301}a", 4, "a"),
        ("a\u{200B}b", 4, "ab"), ("a\u{1B}[2Jb", 20, "a\\u{1B}[2Jb"), ("a\nb", 20, "a\\nb"),
        ("a\u{9B}b", 20, "a\\u{9B}b"), ("a\u{202E}b", 20, "a\\u{202E}b"), ("👩‍👩‍👧x", 3, "👩‍👩‍👧x"), ("", 3, ""),
        ("abc", 0, ""), ("abc", -1, ""),
    ])
    func `a text occupies the available space, and controls nothing`(text: String, columns: Int, seen: String) {
        #expect(text.fitted(to: columns) == seen)
    }

    @Test func `spans are shown one after the other, until the width is used up`() {
        var line = Line("牛a", .title)
        line.append("too long", .faint)
        line.append("never")

        let spans = line.spans(fitting: 6)

        #expect(
            spans == [Line.Span(text: "牛a", look: .title), Line.Span(text: "to…", look: .faint)])
        #expect(line.spans(fitting: 0) == [])
        #expect(line.columns == 16)
    }

    @Test func `a selected line is inverse in its whole width`() {
        let spans = Line("ab", .faint, isSelected: true).spans(fitting: 5)

        #expect(spans.map(\.text).joined() == "ab   ")
        #expect(spans.allSatisfy { $0.isInverse })
        #expect(Line("ab", isSelected: true).spans(fitting: 1).map(\.text) == ["…"])
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("one two", 3, ["one", "two"]), ("abcdef", 4, ["abcd", "ef"]),
        ("牛乳を", 4, ["牛乳", "を"]), ("牛", 1, ["牛"]), ("a abcdef", 3, ["a", "abc", "def"]), ("", 5, []), ("x", 0, []),
        ("  a   b ", 5, ["a b"]), ("a\u{1B}b", 20, ["a\\u{1B}b"]), ("牛乳を買う", 1, ["牛", "乳", "を", "買", "う"]),
    ])
    func `a text is wrapped between words`(text: String, width: Int, lines: [String]) {
        #expect(text.wrapped(to: width) == lines)
    }

    @Test func `if the number of lines is limited, the last one has the rest`() {
        #expect("one two three four".wrapped(to: 5, limit: 2) == ["one", "two three four"])
        #expect("longest one".wrapped(to: 5, limit: 1) == ["longest one"])
        #expect("one two".wrapped(to: 5, limit: 0) == [])
        #expect("one two".wrapped(to: 7, limit: 1) == ["one two"])
    }
}
