import Foundation
import SampleServices

extension Item {
    /// An item whose id and dates are derived from a number.
    static func sample(_ number: Int, title: String? = nil, order: Int? = nil, completed: Date? = nil) -> Item {
        Item(
            id: .sample(number),
            title: title ?? "Item \(number)",
            order: order ?? number * 1_000,
            created: .sample(number),
            updated: .sample(number),
            completed: completed
        )
    }

    /// A changed copy.
    func with(_ change: (inout Item) -> Void) -> Item {
        var copy = self
        change(&copy)
        return copy
    }
}

extension UUID {
    static func sample(_ number: Int) -> UUID {
        let digits = String(number, radix: 16)
        return UUID(uuidString: "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits)
            ?? UUID()
    }
}

extension Date {
    static func sample(_ seconds: Int) -> Date {
        Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
    }
}

extension ItemsSnapshot {
    /// The titles in alphabetical order.
    var titles: [String] { items.map(\.title).sorted() }
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

extension ItemsStep {
    /// A step that added an item, with ids derived from a number.
    static func sample(_ number: Int) -> ItemsStep {
        ItemsStep(id: .sample(number), changes: [Change(before: nil, after: .sample(number))])
    }
}
