import SampleDomain

/// What the arguments ask the program to do.
enum Invocation: Sendable {
    /// Something with the list.
    case items(ItemsRequest, ItemsOptions)

    /// Something with the pets.
    case pets(PetsRequest, PetsOptions)

    /// Something with the users.
    case users(UsersRequest, UsersOptions)

    /// The tour.
    case demo(isVerbose: Bool)
}

/// What to do with the list.
enum ItemsRequest: Sendable {
    /// Show it.
    case list

    /// Change it.
    case command(Items.Command)
}

/// Where the list is, and how to show it.
struct ItemsOptions: Sendable, Equatable {
    /// The data folder; nil for the user's own.
    var folder: String?

    /// Whether to print JSON.
    var isJSON = false

    /// Whether to log every action.
    var isVerbose = false
}
