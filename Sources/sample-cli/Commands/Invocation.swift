import SampleDomain

/// What the arguments ask the program to do.
enum Invocation: Sendable {
    /// A request for the list.
    case items(ItemsRequest, ItemsOptions)

    /// A request for the catalogue of pets.
    case pets(PetsRequest, PetsOptions)

    /// A request for the presence of users.
    case users(UsersRequest, UsersOptions)

    /// A request for the settings.
    case settings(SettingsRequest, ItemsOptions)

    /// A command of the session.
    case session(Session.Command, ItemsOptions)

    /// Show all features full-screen.
    case tui(ItemsOptions, PetsOptions)

    /// Print a script that completes arguments.
    case completions(CompletionScript.Shell)

    /// Whether the user must be asked for confirmation.
    var hasToAsk: Bool {
        if case .items(.sweep(_, isAgreed: false), _) = self { true } else { false }
    }
}

/// A request for the list.
enum ItemsRequest: Sendable {
    /// Show the list.
    case list

    /// Change the list.
    case command(Items.Command)

    /// Delete many items at once, after asking for confirmation unless it was already given.
    case sweep(Sweep, isAgreed: Bool)

    /// Import the lines of a text. The path is a hyphen for standard input.
    case importing(path: String)
}

/// The items that are deleted without being named.
enum Sweep: Sendable {
    /// All completed items.
    case completed

    /// All items.
    case all
}

/// A request for the settings.
enum SettingsRequest: Sendable {
    /// Show the settings.
    case list

    /// Change one setting.
    case choose(Settings.Setting)
}

/// The location of the data, and how to show them.
struct ItemsOptions: Sendable, Equatable {
    /// The data folder, or nil for the default one.
    var folder: String?

    /// Whether to print JSON.
    var isJSON = false

    /// Whether to log every action.
    var isVerbose = false
}
