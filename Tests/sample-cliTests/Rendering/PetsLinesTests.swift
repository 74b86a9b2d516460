import Foundation
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

@Suite struct PetsLinesTests {
    private let presenter = Presenter(
        locale: Locale(identifier: "en_AU"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian),
        now: { .sample(0) }
    )
    private let bo = Pet.Summary(
        id: "b", name: "Bo", species: "dog", birthday: Pet.Day(year: 2021, month: 3, day: 9),
        colour: Pet.Colour("#c68642")
    )

    private func listing(of pets: Pet.Summary...) -> Pets.Listing {
        var state = Pets.State()
        state.reduce(.load)
        state.reduce(.loaded(pets))
        return presenter.listing(of: state)
    }

    private func page(of pet: Pet) -> Pets.Page {
        var state = PetPage.State(of: pet.id)
        state.reduce(.loaded(pet))
        return presenter.page(of: state, in: Pets.State())
    }

    @Test func `a list has one line per pet, in columns`() {
        let listing = self.listing(of: bo, Pet.Summary(id: "ann", name: "Ann of A"))

        let lines = Style.plain.lines(of: listing)

        #expect(lines == ["b    Bo        dog      2 years", "ann  Ann of A  unknown  unknown"])
    }

    @Test func `control characters and wide letters don't affect the columns`() {
        let listing = self.listing(
            of: bo, Pet.Summary(id: "c", name: "Cat\n\u{7}"), Pet.Summary(id: "狗", name: "小狗", species: "狗"))

        let lines = Style.plain.lines(of: listing)

        #expect(
            lines == [
                "b   Bo          dog      2 years", #"c   Cat\n\u{7}  unknown  unknown"#,
                "狗  小狗        狗       unknown",
            ])
    }

    @Test func `an empty list has no lines`() {
        #expect(Style.plain.lines(of: listing()).isEmpty)
    }

    @Test func `colours don't affect the columns`() {
        let listing = self.listing(of: bo)

        let lines = Style(isColourful: true).lines(of: listing)

        #expect(lines == ["\u{1B}[33mb\u{1B}[0m  Bo  dog  2 years"])
    }

    @Test func `a page has a line for each known detail`() {
        let pet = Pet(summary: bo, arrived: .sample(0), phone: "+61285550143", about: "Good\u{1B}\nboy.")

        let lines = Style.plain.lines(of: page(of: pet))

        #expect(
            lines == [
                "Bo",
                "  Species     dog",
                "  Born        9 Mar 2021",
                "  Age         2 years",
                "  Colour      #C68642",
                "  Here since  14 Nov 2023",
                "  Phone       +61285550143",
                #"  About       Good\u{1B}\nboy."#,
            ]
        )
    }
}
