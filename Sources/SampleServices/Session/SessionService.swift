/// Stores which profile is signed in, and where the data of each profile is.
public protocol SessionService: Sendable {
    /// The path of the folder of the data while nobody is signed in.
    var commonFolder: String { get }

    /// Reads which profile is signed in.
    ///
    /// - Returns: The profile, or nil if nobody is signed in.
    /// - Throws: If the session can't be read.
    func current() async throws(ProfileServiceError) -> Profile?

    /// Signs a profile in, in place of the current one. A new profile is created.
    ///
    /// - Throws: If the session can't be written. The previous profile then remains signed in.
    func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile

    /// Signs the current profile out. The profile and its data are kept.
    ///
    /// - Throws: If the session can't be written. The current profile then remains signed in.
    func signOut() async throws(ProfileServiceError)

    /// The changes made to the session elsewhere since a call of this service returned last.
    ///
    /// The sequence doesn't include this service's own changes, nor what ``current()`` returns in the meantime. A slow
    /// reader may receive only the newest value. A failure to read doesn't end the sequence: once the problem is fixed
    /// elsewhere, the next profile follows, even if it is the same as before.
    ///
    /// Sequences are independent of each other. A change that one sequence reported, and that no call has returned, is
    /// reported again by a later sequence. A reader that is cancelled before it could act on a change therefore loses
    /// nothing for its successor. If every call so far has failed, the first profile that can be read is reported as
    /// well.
    ///
    /// - Returns: A sequence of the profiles signed in, with nil for none, for a single reader. It ends when the
    ///   reading task is cancelled, when the sequence is released, or after a failure from which it can't recover.
    func changesElsewhere() async -> AsyncStream<Result<Profile?, ProfileServiceError>>
}

/// One person's data on this computer.
public struct Profile: Sendable, Hashable {
    /// The name of the profile.
    public let name: ProfileName

    /// The path of the folder that contains all of the profile's data.
    public let folder: String

    /// Creates a profile.
    public init(name: ProfileName, folder: String) {
        self.name = name
        self.folder = folder
    }
}
