public import SampleServices

/// Why somebody could not come or go.
public enum UsersError: Error, Hashable {
    /// Nobody can be called this.
    case noName(String, User.Name.Flaw)

    /// It could not be noted.
    case notNoted(UsersServiceError)
}
