import SampleServices
import Testing

@Suite struct ProfileTests {
    @Test(arguments: [
        ("Ada", "Ada"), (" Ada L.\n", "Ada L."), ("a/b", "a/b"), ("牛乳 👩‍👧", "牛乳 👩‍👧"),
        (String(repeating: "é", count: 64), String(repeating: "é", count: 64)),
    ])
    func `a name is any text in one line, without the white space around it`(text: String, name: String) throws {
        let profile = try Profile(name: text)

        #expect(profile == .named(name))
        #expect(profile.name == name && "\(profile)" == name)
    }

    @Test(
        arguments: [
            ("", .blank), (" \n\t", .blank), (String(repeating: "a", count: 65), .tooLong), ("a\u{1B}b", .invisible),
            ("a\nb", .invisible), ("a\0", .invisible),
        ] as [(String, ProfileNameError)])
    func `other texts are refused, with a reason`(text: String, error: ProfileNameError) {
        #expect(throws: error) { try Profile(name: text) }
        #expect(error.description.hasPrefix("The name "))
    }

    @Test func `a guest has no name`() {
        #expect(Profile.guest.name == nil && "\(Profile.guest)" == "guest")
    }
}
