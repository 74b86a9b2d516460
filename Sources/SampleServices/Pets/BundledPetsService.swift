/// A catalogue of pets that comes with the program, and needs no network.
public struct BundledPetsService: PetsService {
    private let all: [Pet]

    /// Makes a service.
    ///
    /// - Parameter pets: The pets, each id once. The default is a small catalogue.
    public init(pets: [Pet] = Self.catalogue) {
        all = pets
    }

    /// What the catalogue is called.
    public var origin: String { "the bundled catalogue" }

    /// The whole catalogue, at once.
    ///
    /// - Returns: The pets in their order.
    public func pets() async -> [Pet.Summary] {
        all.map(\.summary)
    }

    /// One pet, at once.
    ///
    /// - Parameter id: The id of the pet.
    /// - Returns: The pet.
    /// - Throws: ``PetsServiceError/Reason/notFound(_:)`` where there is none.
    public func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
        guard let pet = all.first(where: { $0.id == id }) else { throw PetsServiceError(.notFound(id), place: origin) }
        return pet
    }
}
