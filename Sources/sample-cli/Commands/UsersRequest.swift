import SampleDomain

/// A request for the presence of users.
enum UsersRequest: Sendable {
    /// Show all users.
    case list

    /// Show all users, and then every change.
    case watch

    /// Record an arrival or departure.
    case command(Users.Command)
}

/// The location of the users, and how to show them.
struct UsersOptions: Sendable, Equatable {
    /// The data folder, or nil for the default one.
    var folder: String?

    /// Whether to print JSON.
    var isJSON = false

    /// Whether to log every action.
    var isVerbose = false
}
