import Foundation
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

@Suite struct UsersLinesTests {
    private let presenter = Presenter(
        locale: Locale(identifier: "de_DE"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian),
        now: { .sample(0) }
    )

    private func listing(of users: User...) -> Users.Listing {
        var state = Users.State()
        state.reduce(.changed(Snapshot(UserDirectory(users), revision: 1)))
        return presenter.listing(of: state)
    }

    private func user(_ name: String, _ presence: User.Presence) -> User {
        User(id: name.lowercased(), name: name, presence: presence, since: .sample(-3_600))
    }

    @Test func `each section has a title with its count, and one line per user, in columns`() {
        let listing = listing(of: user("Ann", .online), user("Bo", .offline), user("Long Name", .online))

        let lines = Style.plain.lines(of: listing)

        #expect(
            lines == [
                "Online (2)", "  Ann        since 21:13", "  Long Name  since 21:13", "Offline (1)",
                "  Bo         since 21:13",
            ]
        )
    }

    @Test func `without users there are no lines`() {
        #expect(Style.plain.lines(of: listing()) == [])
    }

    @Test func `names can't control the terminal, and colours don't affect the columns`() {
        let listing = listing(of: user("A\u{1B}[2J", .online), user("B", .offline))

        let lines = Style(isColourful: true).lines(of: listing)

        #expect(
            lines == [
                "\u{1B}[1mOnline (1)\u{1B}[0m", "  A\\u{1B}[2J  since 21:13", "\u{1B}[1mOffline (1)\u{1B}[0m",
                "  \u{1B}[2mB           since 21:13\u{1B}[0m",
            ]
        )
    }
}
