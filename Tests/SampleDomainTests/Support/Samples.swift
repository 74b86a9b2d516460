import Foundation
import SampleServices

@testable import SampleDomain

extension Item {
    /// An item whose id and dates are derived from a number.
    static func sample(_ number: Int, _ title: String? = nil, completed: Int? = nil) -> Item {
        Item(
            title ?? "Item \(number)", id: .sample(number), created: .sample(number),
            completed: completed.map(Date.sample))
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

extension Items.List {
    /// Active items with these titles, and ids counted from 1.
    static func of(_ titles: String...) -> Items.List {
        Items.List(titles.enumerated().map { .sample($0 + 1, $1) })
    }

    /// The titles in their order, those of completed items in parentheses.
    var titles: [String] { items.map { $0.completed == nil ? $0.title : "(\($0.title))" } }

    /// The list after some actions.
    func after(_ actions: Action...) -> Items.List {
        actions.reduce(into: self) { $0.reduce($1) }
    }
}

extension User {
    /// A user whose id is derived from the name.
    static func sample(_ name: String, isOnline: Bool = true, since: Int = 0) -> User {
        User(id: name.lowercased(), name: name, isOnline: isOnline, since: .sample(since))
    }
}

/// The date of changes in tests.
let noon = Date.sample(1_000_000)

extension Pet {
    /// A pet whose data are derived from its id.
    static func sample(_ id: String, name: String? = nil) -> Pet {
        Pet(summary: .sample(id, name: name), arrived: .sample(1), phone: "+61285550143", about: "About \(id).")
    }
}

extension Pet.Summary {
    /// A summary whose data are derived from its id.
    static func sample(_ id: String, name: String? = nil) -> Pet.Summary {
        Pet.Summary(
            id: id,
            name: name ?? id.capitalized,
            species: "dog",
            birthday: Pet.Day(year: 2021, month: 3, day: 9),
            colour: Pet.Colour("#c68642")
        )
    }
}

extension Pets.State {
    /// A state after these actions, each preceded by the start of its load.
    static func after(_ actions: Action...) -> Pets.State {
        actions.reduce(into: Pets.State()) { state, action in
            state.reduce(Action.began)
            state.reduce(action)
        }
    }
}

extension PetPage.State {
    /// The page of a pet after these actions, each preceded by the start of its load.
    static func page(of id: Pet.ID = "a", after actions: Action...) -> PetPage.State {
        actions.reduce(into: PetPage.State(of: id)) { page, action in
            page.reduce(Action.began)
            page.reduce(action)
        }
    }
}

extension PetsServiceError {
    static let offline = PetsServiceError(.offline(.unreachable), place: "script")
    static let missing = PetsServiceError(.notFound("a"), place: "script")
}
