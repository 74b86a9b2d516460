/// A catalogue of pets that is bundled with the program and needs no network.
public struct BundledPetsService: PetsService {
    private let all: [Pet]

    /// Creates a service.
    ///
    /// - Parameter pets: The pets. Each id must occur once. The default is a small catalogue.
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
    ///
    /// - Throws: ``PetsServiceError/Reason/notFound(_:)`` if there is no such pet.
    public func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
        guard let pet = all.first(where: { $0.id == id }) else { throw PetsServiceError(.notFound(id), place: origin) }
        return pet
    }
}
