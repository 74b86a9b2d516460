import SampleServices
import Testing

@Suite struct UserNameTests {
    @Test(arguments: [
        ("Ann", "Ann", "ann"), (" Ann  Lee\n", "Ann  Lee", "ann  lee"), ("ÅSA", "ÅSA", "åsa"),
        ("Zoe-2_x", "Zoe-2_x", "zoe-2_x"),
        ("李", "李", "李"), ("👩‍👧", "👩‍👧", "👩‍👧"), ("-x", "-x", "-x"), ("e\u{301}", "é", "é"),
    ])
    func `a name is one line, and its id doesn't depend on case`(text: String, name: String, id: String) throws {
        let made = try User.Name(text)

        #expect(made.text.utf8.elementsEqual(name.utf8) && made.id.utf8.elementsEqual(id.utf8))
        #expect(try User.Name(made.id).id == made.id)
    }

    @Test func `however its accents are encoded, it is one name, byte for byte`() throws {
        let (one, other) = (try User.Name("E\u{301}va"), try User.Name("\u{C9}va"))

        #expect(Array(one.id.utf8) == Array(other.id.utf8) && Array(one.text.utf8) == Array(other.text.utf8))
    }

    @Test(arguments: ["", " ", "\n\t ", "\u{A0}", "\u{200B}", "\u{3164}", " \u{200D} "])
    func `an invisible text isn't a name`(text: String) {
        #expect(throws: User.Name.Flaw.blank) { try User.Name(text) }
    }

    @Test(
        arguments: [
            (".", "."), ("..", "."), ("a.b", "."), (".lock", "."), ("a/b", "/"), ("../../x", "."), ("a\\b", "\\"),
            ("\0", "\0"),
            ("a\tb", "\t"), ("a\nb", "\n"), ("a\r\nb", "\r"), ("\u{1B}[31m", "\u{1B}"), ("a\u{7F}", "\u{7F}"),
            ("a\u{9B}b", "\u{9B}"), ("a\u{85}b", "\u{85}"), ("a\u{2028}b", "\u{2028}"), ("a\u{202E}b", "\u{202E}"),
            ("a\u{2066}b", "\u{2066}"),
        ] as [(String, Unicode.Scalar)])
    func `characters with a meaning in paths and terminals are rejected`(text: String, scalar: Unicode.Scalar) {
        #expect(throws: User.Name.Flaw.forbidden(scalar)) { try User.Name(text) }
    }

    @Test func `the length of a name is limited so that it fits a file name, in lower case too`() throws {
        let widest = String(repeating: "\u{10400}", count: 50)
        let growing = String(repeating: "İ", count: 26)

        #expect(try User.Name(widest).id.utf8.count == 200)
        #expect(throws: User.Name.Flaw.tooLong(limit: 50)) { try User.Name(widest + "a") }
        #expect(throws: User.Name.Flaw.tooLong(limit: 50)) { try User.Name(growing) }
        #expect(throws: User.Name.Flaw.tooLong(limit: 50)) { try User.Name(String(repeating: "x", count: 100_000)) }
    }

    @Test(
        arguments: [
            (.blank, "The name is empty. Write at least one letter."),
            (.forbidden("/"), "The name has a “/” in it. Leave out slashes, dots and control characters."),
            (
                .forbidden("\u{1B}"),
                "The name has the control character U+001B in it. Leave out slashes, dots and control characters."
            ),
            (
                .tooLong(limit: 50),
                "The name is too long: 50 characters are the most. Take a shorter one; some emoji count as several."
            ),
        ] as [(User.Name.Flaw, String)])
    func `a flaw says what is wrong and what to do, without anything that controls a terminal`(
        flaw: User.Name.Flaw,
        text: String
    ) {
        #expect(flaw.description == text)
    }
}
