import SampleDomain

/// What to do with the users.
enum UsersRequest: Sendable {
    /// Show who is there.
    case list

    /// Show it, and then every change.
    case watch

    /// Let somebody in or out.
    case command(Users.Command)
}

/// Where the users are, and how to show them.
struct UsersOptions: Sendable, Equatable {
    /// The data folder; nil for the user's own.
    var folder: String?

    /// Whether to print JSON.
    var isJSON = false

    /// Whether to log every action.
    var isVerbose = false
}
