import SampleDomain

/// What the arguments ask the program to do.
enum Invocation: Sendable {
    /// Something with the list.
    case items(ItemsRequest, ItemsOptions)

    /// Something with the pets.
    case pets(PetsRequest, PetsOptions)

    /// Something with the users.
    case users(UsersRequest, UsersOptions)

    /// Something with the settings.
    case settings(SettingsRequest, ItemsOptions)

    /// Something with the session.
    case session(Session.Command, ItemsOptions)

    /// Showing every change.
    case watch(ItemsOptions)

    /// Everything, full-screen.
    case tui(ItemsOptions, PetsOptions)

    /// The tour.
    case demo(isVerbose: Bool)

    /// Whether a person has to be asked on the way.
    var hasToAsk: Bool {
        if case .items(.sweep(_, isAgreed: false), _) = self { true } else { false }
    }
}

/// What to do with the list.
enum ItemsRequest: Sendable {
    /// Show it.
    case list

    /// Change it.
    case command(Items.Command)

    /// Delete many items at once, after asking unless that is answered already.
    case sweep(Sweep, isAgreed: Bool)

    /// Add a text's lines to it; the path is a hyphen for standard input.
    case importing(path: String)

    /// Something with the tutorial.
    case tutorial(Items.Tutorial)
}

/// What is deleted without being named.
enum Sweep: Sendable {
    /// What is completed.
    case completed

    /// Everything.
    case all
}

/// What to do with the settings.
enum SettingsRequest: Sendable {
    /// Show them.
    case list

    /// Change one of them.
    case choose(Settings.Setting)
}

/// Where the data are, and how to show them.
struct ItemsOptions: Sendable, Equatable {
    /// The data folder; nil for the user's own.
    var folder: String?

    /// Whether to print JSON.
    var isJSON = false

    /// Whether to log every action.
    var isVerbose = false
}
