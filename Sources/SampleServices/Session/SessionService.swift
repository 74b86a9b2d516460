/// Where it is written down who is signed in, and where the data of each profile are.
///
/// - Isolation: None. The methods can be called from anywhere, at the same time, and block no thread of the
///   cooperative pool for long.
public protocol SessionService: Sendable {
    /// The path of the folder of the data while nobody is signed in.
    var commonFolder: String { get }

    /// Who is signed in.
    ///
    /// - Returns: The profile, or nil where nobody is.
    /// - Throws: What kept it from being read.
    func current() async throws(ProfileServiceError) -> Profile?

    /// Writes down that somebody is signed in, in place of whoever was. A profile that is new is made.
    ///
    /// - Parameter name: The name of the profile.
    /// - Returns: The profile.
    /// - Throws: What kept it from being written. The one before is signed in still.
    func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile

    /// Writes down that nobody is signed in. A profile and its data stay.
    ///
    /// - Throws: What kept it from being written. The one before is signed in still.
    func signOut() async throws(ProfileServiceError)
}
