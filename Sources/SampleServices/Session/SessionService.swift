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

    /// What others write down about the session, from what a call of this service has returned last.
    ///
    /// What this service writes itself isn't among it, nor what ``current()`` returns in the meantime. A reader that is
    /// away may get the newest only. A failure to read doesn't end the sequence: when others have mended the matter the
    /// next profile follows, even if it is the same.
    ///
    /// Sequences are independent of each other: what one of them has told, and no call has returned, a later one tells
    /// again. So a reader that is cancelled before it has acted on it loses nothing for the one after it. Where the
    /// only calls so far have failed, the first profile that can be read is told as well.
    ///
    /// - Returns: A sequence of who is signed in, nil for nobody, for one reader. It ends when its task is cancelled,
    ///   when it is released, and, after a failure, when it can't go on.
    func changesElsewhere() async -> AsyncStream<Result<Profile?, ProfileServiceError>>
}
