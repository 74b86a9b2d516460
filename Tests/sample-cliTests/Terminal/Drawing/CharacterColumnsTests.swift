import Testing

@testable import sample_cli

@Suite struct CharacterColumnsTests {
    @Test(arguments: [
        ("a", 1), (" ", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("─", 1), ("✓", 1), ("©", 1),
        ("牛", 2), ("か", 2), ("한", 2), ("Ａ", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇦🇺", 2), ("❤️", 2), ("❤", 1),
        ("\u{301}", 0), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{AD}", 0), ("\u{1B}", 0), ("\u{7F}", 0), ("\u{FEFF}", 0),
    ])
    func `a character is as wide as in terminals`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `a text is as wide as its characters`() {
        #expect("a牛e\u{301}😀".columns == 6)
        #expect("".columns == 0)
    }
}
