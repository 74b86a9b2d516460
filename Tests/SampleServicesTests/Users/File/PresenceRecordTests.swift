import Foundation
import Testing

@testable import SampleServices

@Suite struct PresenceRecordTests {
    private let good =
        #"{"format":"relux-presence","name":"Ann","presence":"online","since":"2026-03-09T10:00:00.250Z","version":1}"#

    private func user(_ text: String, stem: String = "ann") throws -> User {
        try PresenceRecord.user(from: Array(text.utf8), stem: stem)
    }

    private func reason(_ text: String, stem: String = "ann") -> UsersServiceError.Reason? {
        do {
            _ = try user(text, stem: stem)
            return nil
        } catch {
            return (error as? PresenceRecord.Flaw)?.reason
        }
    }

    private func flaw(_ text: String, stem: String = "ann") -> String? {
        guard case .damaged(let text) = reason(text, stem: stem) else { return nil }
        return text
    }

    @Test func `a file holds everything about a user, in a stable format`() throws {
        let user = try user(good)

        #expect(
            user
                == User(id: "ann", name: "Ann", presence: .online, since: Date(timeIntervalSince1970: 1_773_050_400.25))
        )
        #expect(String(decoding: PresenceRecord.bytes(of: user), as: UTF8.self) == good + "\n")
    }

    @Test func `white space and the fields of later programs are ignored`() throws {
        let text = " { \n" + good.dropFirst().replacing("\"name\"", with: "\"mood\" : 3, \"name\"") + "\n\n"

        #expect(try user(text).name == "Ann")
    }

    @Test(arguments: [
        ("", "it is no JSON object"), ("garbage", "it is no JSON object"), ("[]", "it is no JSON object"),
        ("\u{0}\u{0}", "it is no JSON object"), ("{}", "“format” is missing"),
        (#"{"format":1}"#, "“format” has the wrong type"),
        (#"{"format":"x","version":1}"#, "its format is “x”"),
        (#"{"format":"relux-presence","version":1}"#, "“name” is missing"),
    ])
    func `an invalid presence is reported`(text: String, expected: String) {
        #expect(flaw(text) == expected)
    }

    @Test func `the file of a later program isn't damaged, and nobody is told to repair it`() {
        let later = #"{"format":"relux-presence","version":2}"#

        #expect(reason(later) == .foreignVersion(2, supported: 1))
        #expect(UsersServiceError(.foreignVersion(2, supported: 1), file: "f").advice.contains("use the version"))
    }

    @Test(arguments: [
        ("Ann", "A/nn", "“A/nn” can't be a name"),
        ("Ann", #"\u001b[2J"#, "“\u{1B}[2J” can't be a name"),
        ("Ann", "Bob", "it is of “Bob”, and the file of that user has another name"),
        ("Ann", String(repeating: "y", count: 99), "“\(String(repeating: "y", count: 60))…” can't be a name"),
        ("online", "away", "“away” is neither “online” nor “offline”"),
        ("2026-03-09T10:00:00.250Z", "today", "“today” is no date"),
    ])
    func `a meaningless value in a presence is reported`(part: String, other: String, expected: String) {
        #expect(flaw(good.replacing(part, with: other)) == expected)
    }

    @Test func `a file with the name of another user is rejected, and accents are compared as they are encoded`() {
        let accented = good.replacing("Ann", with: "É")

        #expect(flaw(good, stem: "bob") != nil)
        #expect(flaw(good, stem: "Ann") != nil)
        #expect(flaw(accented, stem: "é") == nil)
        #expect(flaw(accented, stem: "e\u{301}") != nil)
    }

    @Test func `bytes that aren't text are reported`() {
        #expect(throws: PresenceRecord.Flaw.self) { try PresenceRecord.user(from: [0xFF, 0xFE, 0x7B], stem: "ann") }
    }
}
