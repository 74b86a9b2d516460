import Testing

@testable import sample_cli

@Suite struct CanvasTests {
    private func canvas(_ rows: Int, _ columns: Int) -> Canvas { Canvas(TerminalSize(rows: rows, columns: columns)) }

    /// The text of a row after a text was written into it.
    private func written(_ text: String, _ columns: Int) -> String {
        var canvas = canvas(1, columns)
        canvas.write(text, in: Area(canvas.size))
        return canvas.text(inRow: 0)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("牛乳", 4, "牛乳"), ("牛乳", 3, "牛…"),
        ("牛乳を", 4, "牛 …"), ("牛", 1, "…"), ("a\u{301}b", 2, "a\u{301}b"), ("\u{301}a", 4, "◌\u{301}a"),
        ("a\u{200B}b", 4, "ab"), ("a\u{1B}[2Jb", 20, "a\\u{1B}[2Jb"), ("a\nb", 20, "a\\nb"),
        ("a\u{9B}b", 20, "a\\u{9B}b"),
        ("a\u{202E}b", 20, "a\\u{202E}b"), ("👩‍👩‍👧x", 3, "👩‍👩‍👧x"), ("", 3, ""),
    ])
    func `a text occupies the available space, and controls nothing`(text: String, columns: Int, seen: String) {
        #expect(written(text, columns) == seen)
    }

    @Test func `the rest of a line is returned`() {
        var canvas = canvas(1, 6)

        let rest = canvas.write("牛a", in: Area(canvas.size))
        let none = canvas.write("too long", in: rest)

        #expect(rest == Area(row: 0, column: 3, height: 1, width: 3))
        #expect(none.width == 0)
        #expect(canvas.text(inRow: 0) == "牛ato…")
    }

    @Test func `nothing is drawn outside, and nothing traps there`() {
        var canvas = canvas(2, 2)
        let before = canvas

        for (row, column) in [(-1, 0), (2, 0), (0, 2), (0, -1), (100, 100)] {
            canvas.write("x", in: Area(row: row, column: column, height: 1, width: 5))
            canvas.paint(Area(row: row, column: column < 0 ? -5 : column, height: 1, width: 5), .title)
        }
        canvas.write("x", in: Area(row: 0, column: 0, height: 0, width: 5))
        canvas.write("x", in: Area(row: 0, column: 0, height: 1, width: -5))

        #expect(canvas == before)
    }

    @Test func `half of a wide character never remains`() {
        var canvas = canvas(1, 4)
        canvas.write("牛乳", in: Area(canvas.size))

        canvas.write("x", in: Area(row: 0, column: 1, height: 1, width: 1))
        let first = canvas.text(inRow: 0)
        canvas.write("y", in: Area(row: 0, column: 2, height: 1, width: 1))

        #expect(first == " x乳")
        #expect(canvas.text(inRow: 0) == " xy")
    }

    @Test func `areas never exceed the area that contains them`() {
        let area = Area(row: 1, column: 2, height: 3, width: 4)

        #expect(area.line(1) == Area(row: 2, column: 2, height: 1, width: 4))
        #expect(area.line(3).height == 0 && area.line(-5) == area.line(0))
        #expect(area.rows(from: 2, 9).height == 1 && area.rows(from: 9).height == 0)
        #expect(area.columns(from: 9).width == 0)
        #expect(Area(row: 0, column: 0, height: -1, width: -1) == Area(row: 0, column: 0, height: 0, width: 0))
    }

    @Test func `an unknown or impossible size is corrected`() {
        #expect(TerminalSize(rows: 0, columns: 0) == TerminalSize(rows: 24, columns: 80))
        #expect(TerminalSize(rows: 65_535, columns: 65_535) == TerminalSize(rows: 1_000, columns: 1_000))
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("one two", 3, ["one", "two"]), ("abcdef", 4, ["abcd", "ef"]),
        ("牛乳を", 4, ["牛乳", "を"]), ("牛", 1, ["牛"]), ("a abcdef", 3, ["a", "abc", "def"]), ("", 5, []), ("x", 0, []),
        ("  a   b ", 5, ["a b"]), ("a\u{1B}b", 20, ["a\\u{1B}b"]),
    ])
    func `a text is wrapped between words`(text: String, width: Int, lines: [String]) {
        #expect(text.wrapped(to: width) == lines)
    }

    @Test func `if the number of lines is limited, the last one has the rest`() {
        #expect("one two three four".wrapped(to: 5, limit: 2) == ["one", "two three four"])
        #expect("one two".wrapped(to: 5, limit: 0) == [])
        #expect("one two".wrapped(to: 7, limit: 1) == ["one two"])
    }
}
