import Foundation

/// A catalogue of pets.
///
/// - Isolation: None. The methods can be called from anywhere, concurrently, and don't block a thread of the
///   cooperative pool.
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
    /// A small catalogue, compiled into the program so that it is always available.
    public static var catalogue: [Pet] {
        [
            Pet(
                summary: Pet.Summary(
                    id: "biscuit", name: "Biscuit", species: "dog", birthday: Pet.Day(year: 2021, month: 3, day: 9),
                    colour: Pet.Colour(red: 0xC6, green: 0x86, blue: 0x42)),
                arrived: date(1_730_539_800),
                phone: "+61285550143",
                about: "Carries things from room to room, and gives back nearly all of them."
            ),
            Pet(
                summary: Pet.Summary(
                    id: "juniper", name: "Juniper", species: "cat", birthday: Pet.Day(year: 2017, month: 11, day: 30),
                    colour: Pet.Colour(red: 0x3B, green: 0x3B, blue: 0x46)),
                arrived: date(1_741_057_200),
                phone: "+61285550143",
                about: "Sleeps on whatever you are reading."
            ),
            Pet(
                summary: Pet.Summary(
                    id: "pebble", name: "Pebble", species: "tortoise",
                    colour: Pet.Colour(red: 0x7A, green: 0x6F, blue: 0x4F)),
                arrived: date(946_731_600),
                phone: "+442079460018",
                about: "Older than anybody who could say how old."
            ),
            Pet(
                summary: Pet.Summary(
                    id: "marmalade", name: "Marmalade", species: "guinea pig",
                    birthday: Pet.Day(year: 2024, month: 2, day: 29),
                    colour: Pet.Colour(red: 0xE8, green: 0x8B, blue: 0x2E)),
                arrived: date(1_718_064_000),
                about: "Has a birthday every four years, and expects a cake every week."
            ),
            Pet(
                summary: Pet.Summary(id: "shade", name: "Shade"),
                about: "Has been heard, but not seen yet."
            ),
        ]
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
}
