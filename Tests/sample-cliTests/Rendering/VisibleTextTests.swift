import Testing

@testable import sample_cli

@Suite struct VisibleTextTests {
    @Test(arguments: ["", "Buy milk", "ÄÖÜ 🦊 e\u{301} 日本", "a \\n b", "👨‍👩‍👧"])
    func `a plain text is unchanged`(text: String) {
        #expect(text.visible == text)
    }

    @Test(arguments: [
        ("a\nb\tc\rd", #"a\nb\tc\rd"#), ("a\r\nb", #"a\r\nb"#), ("\u{1B}[31mred", #"\u{1B}[31mred"#),
        ("\u{0}\u{7}\u{7F}", #"\u{0}\u{7}\u{7F}"#), ("\u{9B}2J", #"\u{9B}2J"#), ("a\u{202E}b", #"a\u{202E}b"#),
        ("\u{2028}\u{2066}", #"\u{2028}\u{2066}"#),
        ("\u{061C}\u{200E}\u{200F}\u{200D}", "\\u{61C}\\u{200E}\\u{200F}\u{200D}"),
    ])
    func `text that controls a terminal or breaks the line is escaped`(text: String, visible: String) {
        #expect(text.visible == visible)
    }
}
