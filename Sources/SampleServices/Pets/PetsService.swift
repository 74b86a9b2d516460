import Foundation

/// A catalogue of pets.
///
/// - Ordering: None. Of two calls, the later one may be answered first, and with older data.
/// - Cancellation: Cancelling the task ends the wait with ``PetsServiceError/Reason/cancelled``.
public protocol PetsService: Sendable {
    /// A human-readable name for the source of the pets.
    var origin: String { get }

    /// Returns the whole catalogue.
    func pets() async throws(PetsServiceError) -> [Pet.Summary]

    /// Returns one pet, with everything that is known about it.
    func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet
}

/// A catalogue of pets that is bundled with the program and needs no network.
public struct BundledPetsService: PetsService {
    private let all: [Pet]

    /// Creates a service.
    public init(pets: [Pet] = Self.catalogue) {
        all = pets
    }

    /// The name of the catalogue.
    public var origin: String { "the bundled catalogue" }

    /// Returns the whole catalogue, without waiting.
    public func pets() async -> [Pet.Summary] {
        all.map(\.summary)
    }

    /// Returns one pet, without waiting.
    public func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
        guard let pet = all.first(where: { $0.id == id }) else { throw PetsServiceError(.notFound(id), place: origin) }
        return pet
    }
}

extension BundledPetsService {
    /// A small catalogue, compiled into the program so that it is always available. It is what a server would send.
    public static let catalogue: [Pet] = {
        let json = #"""
            [
              {"id": "biscuit", "name": "Biscuit", "species": "dog", "birthday": "2021-03-09", "colour": "#c68642",
               "arrived": "2024-11-02T09:30:00Z", "phone": "+61285550143",
               "about": "Carries things from room to room, and gives back nearly all of them."},
              {"id": "juniper", "name": "Juniper", "species": "cat", "birthday": "2017-11-30", "colour": "#3b3b46",
               "arrived": "2025-03-04T03:00:00Z", "phone": "+61285550143",
               "about": "Sleeps on whatever you are reading."},
              {"id": "pebble", "name": "Pebble", "species": "tortoise", "colour": "#7a6f4f",
               "arrived": "2000-01-01T13:00:00Z", "phone": "+442079460018",
               "about": "Older than anybody who could say how old."},
              {"id": "marmalade", "name": "Marmalade", "species": "guinea pig", "birthday": "2024-02-29",
               "colour": "#e88b2e", "arrived": "2024-06-11T00:00:00Z",
               "about": "Has a birthday every four years, and expects a cake every week."},
              {"id": "shade", "name": "Shade", "about": "Has been heard, but not seen yet."}
            ]
            """#
        // A test reads every pet.
        return (try? JSONDecoder().decode([Pet].self, from: Data(json.utf8))) ?? []
    }()
}
