import Foundation
import SampleServices
import Testing

@testable import SampleDomain

/// The displayed texts, in a place and at a time chosen by the test.
@Suite struct PetsPresenterTests {
    private let presenter = Presenter(
        locale: Locale(identifier: "en_AU"),
        timeZone: TimeZone(identifier: "Australia/Sydney") ?? .gmt,
        calendar: Calendar(identifier: .gregorian),
        now: { .sample(0) }
    )

    private func text(_ kind: Pets.Page.Field.Kind, of page: Pets.Page) -> String? {
        page.fields.first { $0.kind == kind }?.text
    }

    @Test func `a page shows everything that is known`() {
        let page = presenter.page(of: .page(after: .loaded(.sample("a"))), in: Pets.State())

        #expect(page.name == "A" && page.id == "a" && page.notice == nil)
        #expect(page.fields.map(\.kind) == Pets.Page.Field.Kind.allCases)
        // 22:13:21 in GMT is the morning of the next day in Sydney.
        #expect(
            page.fields.map(\.text) == [
                "dog", "9 Mar 2021", "2 years", "#C68642", "15 Nov 2023", "+61285550143", "About a.",
            ]
        )
    }

    @Test func `unknown values are unknown, including blank texts`() {
        let pet = Pet(summary: Pet.Summary(id: "a", name: " ", species: "\t"), phone: "", about: " \n")

        let page = presenter.page(of: .page(after: .loaded(pet)), in: Pets.State())

        #expect(page.name == "unknown")
        #expect(page.fields.map(\.text) == Array(repeating: "unknown", count: 7))
    }

    @Test func `values from the catalogue are shown before the rest, and nothing is made up`() {
        let known = Pets.State.after(.loaded([.sample("a")]))

        let page = presenter.page(of: PetPage.State(of: "a"), in: known)
        let nothing = presenter.page(of: PetPage.State(of: "b"), in: known)

        #expect(page.fields.map(\.kind) == [.species, .born, .age, .colour])
        #expect(nothing.fields == [] && nothing.name == "unknown")
    }

    @Test func `the list has a row for each pet`() {
        let listing = presenter.listing(
            of: .after(.loaded([.sample("b"), Pet.Summary(id: "a", name: "A")]))
        )

        #expect(listing.rows.map(\.id) == ["b", "a"])
        #expect(listing.rows.map(\.age) == ["2 years", "unknown"])
        #expect(listing.rows.map(\.colour) == ["#C68642", nil])
        #expect(listing.notice == nil)
    }

    @Test func `an empty list says so, once it is known to be empty`() {
        #expect(presenter.listing(of: Pets.State()).notice == nil)
        let notice = presenter.listing(of: .after(.loaded([]))).notice
        #expect(notice?.kind == .information && notice?.lines == ["There are no pets."])
    }

    @Test func `a load says what it is waiting for`() {
        var state = Pets.State()
        state.reduce(Pets.State.Action.began)
        let before = presenter.listing(of: state).notice

        state.reduce(Pets.State.Action.setBack(Pets.Setback(.offline, attempt: 1, limit: 4)))
        let after = presenter.listing(of: state).notice

        #expect(before?.kind == .progress && before?.lines == ["Loading."])
        #expect(after?.kind == .progress)
        #expect(after?.lines == ["script: The server doesn't respond.", "Trying again (2 of 4)."])
    }

    @Test func `a failure says what happened, what to do, and whether what is shown is old`() {
        let fresh = presenter.page(of: .page(after: .failed(.missing)), in: Pets.State())
        let old = presenter.page(
            of: .page(after: .loaded(.sample("a")), .failed(.missing)), in: Pets.State()
        )

        let lines = [
            "script: There is no pet with the id “a”.",
            "Look for its id in the list of pets; it may have found a home.",
        ]
        #expect(fresh.notice?.kind == .failure && fresh.notice?.lines == lines && fresh.fields == [])
        #expect(old.notice?.lines == lines + ["What is shown was loaded before."])
        #expect(old.fields.count == 7 && old.name == "A")
    }

    @Test func `a page shows what an earlier page of the pet has loaded, until it has loaded the pet itself`() {
        var state = Pets.State.after(.loaded([.sample("a", name: "Listed")]))
        state.reduce(PetPage.State.Action.loaded(.sample("a", name: "Seen")))

        let opened = presenter.page(of: PetPage.State(of: "a"), in: state)
        let failed = presenter.page(of: .page(after: .failed(.missing)), in: state)
        let loaded = presenter.page(of: .page(after: .loaded(.sample("a", name: "Loaded"))), in: state)

        #expect(opened.name == "Seen" && opened.fields.count == 7 && opened.notice?.lines == ["Loading."])
        #expect(failed.name == "Seen" && failed.notice?.lines.last == "What is shown was loaded before.")
        #expect(loaded.name == "Loaded" && loaded.notice == nil)
    }

    @Test func `dates and numbers follow the reader's locale`() {
        var german = presenter
        german.locale = Locale(identifier: "de_DE")
        german.timeZone = .gmt
        var buddhist = presenter
        buddhist.calendar = Calendar(identifier: .buddhist)
        let state = PetPage.State.page(after: .loaded(.sample("a")))

        let page = german.page(of: state, in: Pets.State())

        #expect(text(.born, of: page) == "9. März 2021")
        #expect(text(.arrived, of: page) == "14. Nov. 2023")
        #expect(text(.born, of: buddhist.page(of: state, in: Pets.State()))?.contains("2564") == true)
    }

    @Test(arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"])
    func `a birthday is the same day everywhere`(zone: String) throws {
        var presenter = presenter
        presenter.timeZone = try #require(TimeZone(identifier: zone))

        let page = presenter.page(of: .page(after: .loaded(.sample("a"))), in: Pets.State())

        #expect(text(.born, of: page) == "9 Mar 2021")
    }
}
