public import SampleServices

/// Why an arrival or departure failed.
public enum UsersError: Error, Hashable {
    /// The text is not a valid name.
    case noName(String, User.Name.Flaw)

    /// The service could not record it.
    case notNoted(UsersServiceError)
}
