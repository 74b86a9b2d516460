import SampleServices
import Testing

@Suite struct ProfileNameTests {
    @Test(arguments: ["Ada", "Ada Lovelace", "ada.b", ".ada", "阿达", "🧑‍🚀", String(repeating: "x", count: 64)])
    func `a short text of one line is a name`(text: String) throws {
        #expect(try ProfileName(text).text == text)
    }

    @Test func `white space around a name is ignored`() throws {
        #expect(try ProfileName("  Ada ") == ProfileName("Ada"))
    }

    @Test func `two encodings of the same characters are one name, to the byte`() throws {
        let (one, other) = (try ProfileName("Ren\u{E9}"), try ProfileName("Rene\u{301}"))

        #expect(one == other)
        #expect(Array(one.text.utf8) == Array(other.text.utf8))
    }

    @Test(
        arguments: [
            ("", .blank), ("  ", .blank), ("\u{200D}", .blank), ("\u{3000}", .blank),
            ("a/b", .slash("a/b")), ("../a", .slash("../a")), ("/", .slash("/")),
            (".", .dotsOnly(".")), ("..", .dotsOnly("..")), (" ... ", .dotsOnly("...")),
            ("a\nb", .invisible(0x0A)), ("a\n", .invisible(0x0A)), ("a\0", .invisible(0)),
            ("\u{1B}[2J", .invisible(0x1B)),
            ("a\u{7F}", .invisible(0x7F)), ("a\u{2028}b", .invisible(0x2028)), ("a\u{202E}b", .invisible(0x202E)),
            (String(repeating: "x", count: 65), .tooLong(limit: 64)),
            (String(repeating: "阿🧑‍🚀", count: 32), .tooLong(limit: 64)),
        ] as [(String, ProfileNameError)])
    func `a text that leads elsewhere, is invisible, or too long is rejected`(text: String, error: ProfileNameError) {
        #expect(throws: error) { try ProfileName(text) }
    }

    @Test func `the error says what is wrong and what to do`() {
        #expect(
            ProfileNameError.invisible(0x1B).description
                == "The name has a character that can't be seen: U+001B. "
                + "Choose a short name without slashes, such as “Ada”."
        )
        #expect(ProfileNameError.slash("a/b").explanation == "The name “a/b” has a slash.")
    }
}
