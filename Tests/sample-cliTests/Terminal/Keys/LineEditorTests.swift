import Testing

@testable import sample_cli

@Suite struct LineEditorTests {
    /// A text with a bar at the cursor, after keys.
    private func edited(_ text: String, _ keys: Key...) -> String {
        var editor = LineEditor(text)
        for key in keys { #expect(editor.take(key) == .edited) }
        var result = editor.text
        result.insert("|", at: result.index(result.startIndex, offsetBy: editor.cursor))
        return result
    }

    @Test func `typed text appears at the cursor`() {
        #expect(edited("", .character("a"), .character("b")) == "ab|")
        #expect(edited("ac", .left, .character("b")) == "ab|c")
        #expect(edited("bc", .home, .character("a")) == "a|bc")
        #expect(edited("ab", .home, .end, .character("c")) == "abc|")
    }

    @Test func `marks and parts of emoji join the character before them`() {
        #expect(edited("e", .character("\u{301}")) == "é|")
        #expect(edited("xy", .left, .character("\u{301}")) == "x\u{301}|y")
        #expect(edited("👩", .character("\u{200D}"), .character("👧")) == "👩‍👧|")
        #expect(edited("👩‍👧é", .backspace, .backspace) == "|")
    }

    @Test func `keys remove the right characters, and nothing beyond the ends`() {
        #expect(edited("abc", .left, .backspace) == "a|c")
        #expect(edited("abc", .home, .delete) == "|bc")
        #expect(edited("abc", .left, .control("u")) == "|c")
        #expect(edited("abc", .left, .control("k")) == "ab|")
        #expect(edited("one two  ", .control("w")) == "one |")
        #expect(edited("one", .control("w"), .control("w")) == "|")
        #expect(edited("", .backspace, .delete, .left, .right, .control("u"), .control("k")) == "|")
    }

    @Test func `a pasted text is one line`() {
        #expect(edited("", .pasted("a\r\nb\n\nc\td\u{1B}e")) == "a b c d e|")
    }

    @Test func `other keys end it, or have no meaning`() {
        var editor = LineEditor("a")

        #expect(editor.take(.enter) == .committed)
        #expect(editor.take(.escape) == .cancelled)
        #expect(editor.take(.up) == .nothing && editor.take(.tab) == .nothing && editor.take(.unknown) == .nothing)
        #expect(editor == LineEditor("a"))
    }

    @Test(arguments: [0, 1, 2, 3, 5, 80])
    func `the cursor is in every window, and no window is too wide`(width: Int) {
        var editor = LineEditor("a牛b乳cdef")
        for _ in 0...8 {
            let window = editor.window(width: width)
            let isRoom = width >= window.at.columns
            #expect(!isRoom || (window.before + window.at).columns <= width)
            #expect(String(editor.text.prefix(editor.cursor)).hasSuffix(window.before))
            _ = editor.take(.left)
        }
    }
}
