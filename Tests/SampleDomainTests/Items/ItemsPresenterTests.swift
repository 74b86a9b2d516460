import Foundation
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct ItemsPresenterTests {
    private let presenter = Presenter(
        locale: Locale(identifier: "en_AU"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian), now: { noon })

    @Test func `items have numbers through the whole list, and completed ones a day`() {
        let listing = presenter.listing(of: Items.List.of("a", "b").after(.completed([.sample(1)], .sample(0))))

        #expect(listing.active.map(\.title) == ["b"] && listing.completed.map(\.title) == ["a"])
        #expect(listing.rows.map(\.number) == [1, 2])
        #expect(listing.rows.map(\.details) == ["", "14 Nov 2023"])
    }

    @Test func `a filter ignores case and accents, counts what it hides, and keeps the numbers`() {
        var selection = Items.Selection()
        selection.reduce(.filtered("CAFE"))

        let listing = presenter.listing(of: .of("Tea", "Café"), selection)

        #expect(listing.rows.map(\.number) == [2] && listing.hidden == 1)
    }

    @Test func `a command concerns what is selected and shown, or else the item at the cursor`() {
        var selection = Items.Selection()
        let list = Items.List.of("a", "b", "c")
        #expect(presenter.listing(of: list, selection).concerned(or: .sample(2)).map(\.title) == ["b"])

        selection.reduce(.extended([.sample(1), .sample(3)]))
        #expect(presenter.listing(of: list, selection).concerned(or: .sample(2)).map(\.title) == ["a", "c"])
    }
}
