import Foundation
import SampleServices
import Testing

@testable import SampleDomain

/// The displayed texts, in a place and at a time chosen by the test.
@Suite struct UsersPresenterTests {
    private func presenter(zone: String = "Australia/Sydney", locale: String = "en_AU") -> Presenter {
        // 22:13:20 in GMT is the morning of the next day, 15 November, in Sydney.
        Presenter(
            locale: Locale(identifier: locale),
            timeZone: TimeZone(identifier: zone) ?? .gmt,
            calendar: Calendar(identifier: .gregorian),
            now: { .sample(0) }
        )
    }

    /// A text with the special spaces of formatted times replaced by plain ones.
    private func plain(_ text: String?) -> String? {
        text?.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    }

    @Test func `both sections show their users, with only the time for today and the day otherwise`() {
        let state = Users.State.knowing(
            .away("Cid", since: -90_000), .here("Bob", since: -60), .here("Ann", since: -36_000)
        )

        let listing = presenter().listing(of: state)

        #expect(listing.groups.map(\.section) == [.online, .offline])
        #expect(listing.groups.map { $0.rows.map(\.name) } == [["Ann", "Bob"], ["Cid"]])
        #expect(
            listing.groups.flatMap(\.rows).map { plain($0.since) } == [
                "14 Nov 2023 at 11:13 pm", "9:12 am", "14 Nov 2023 at 8:13 am",
            ]
        )
        #expect(listing.notice == [] && !listing.isFailed)
    }

    @Test func `an empty section isn't shown`() {
        #expect(presenter().listing(of: .knowing(.away("Ann"))).groups.map(\.section) == [.offline])
    }

    @Test func `a day ends at the reader's midnight, and times follow the reader's locale`() {
        let state = Users.State.knowing(.here("Ann", since: -36_000))

        let text = presenter(zone: "UTC", locale: "de_DE").listing(of: state).groups.first?.rows.first?.since

        #expect(text == "12:13")
    }

    @Test func `a notice is shown with the list`() {
        var loading = Users.State()
        loading.reduce(.load)
        let presenter = presenter()

        #expect(presenter.listing(of: Users.State()).notice == [])
        #expect(presenter.listing(of: loading).notice == ["Checking who is online."])
        #expect(presenter.listing(of: .knowing()).notice == ["Nobody has been here yet."])
    }

    @Test func `after a failure the rest is marked as old`() {
        let unknown = presenter().listing(of: Users.State().after(.failed(.gone)))
        let known = presenter().listing(of: Users.State.knowing(.here("Ann")).after(.failed(.gone)))

        let why = ["users: The folder is gone.", "Put it back."]
        #expect(unknown.notice == why && unknown.isFailed)
        #expect(known.notice == why + ["The list is from before this error."] && known.isFailed)
        #expect(known.groups.flatMap(\.rows).map(\.name) == ["Ann"])
    }
}
