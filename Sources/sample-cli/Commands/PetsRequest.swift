import SampleServices

/// A request for the catalogue of pets.
enum PetsRequest: Sendable {
    /// Show the whole catalogue.
    case list

    /// Show one pet.
    case show(Pet.ID)
}

/// The source of the pets, and how to show them.
struct PetsOptions: Sendable, Equatable {
    /// The server, or nil for the bundled catalogue.
    var address: PetsAddress?

    /// Whether to print JSON.
    var isJSON = false

    /// Whether to log every action.
    var isVerbose = false
}
