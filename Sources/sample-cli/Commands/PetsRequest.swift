import SampleServices

/// What to do with the catalogue of pets.
enum PetsRequest: Sendable {
    /// Show all of it.
    case list

    /// Show one pet.
    case show(Pet.ID)
}

/// Where the pets come from, and how to show them.
struct PetsOptions: Sendable, Equatable {
    /// The server; nil for the catalogue that comes with the program.
    var address: PetsAddress?

    /// Whether to print JSON.
    var isJSON = false

    /// Whether to log every action.
    var isVerbose = false
}
