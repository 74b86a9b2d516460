import Foundation
import SampleServices

extension Date {
    static func sample(_ seconds: Int) -> Date {
        Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
    }
}

extension Pet {
    /// A pet about which everything is known.
    static func sample(_ id: String) -> Pet {
        Pet(
            summary: Summary(
                id: id,
                name: id.capitalized,
                species: "dog",
                birthday: Day(year: 2021, month: 3, day: 9),
                colour: Colour("#c68642")
            ),
            arrived: .sample(1),
            phone: "+61285550143",
            about: "Good."
        )
    }
}
