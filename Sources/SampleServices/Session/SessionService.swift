/// Stores which profile is signed in, and where the data of each profile is.
public protocol SessionService: Sendable {
    /// The path of the folder of the data while nobody is signed in.
    var commonFolder: String { get }

    /// Reads which profile is signed in.
    ///
    /// - Returns: The profile, or nil if nobody is signed in.
    /// - Throws: If the session can't be read.
    func current() async throws(StorageError) -> Profile?

    /// Signs a profile in, in place of the current one. A new profile is created.
    ///
    /// - Throws: If the session can't be written. The previous profile then remains signed in.
    func signIn(_ name: ProfileName) async throws(StorageError) -> Profile

    /// Signs the current profile out. The profile and its data are kept.
    ///
    /// - Throws: If the session can't be written. The current profile then remains signed in.
    func signOut() async throws(StorageError)

    /// The changes made to the session elsewhere since a call of this service returned last, as
    /// ``StorageService/changesElsewhere()`` reports them: nil if somebody signed out.
    func changesElsewhere() async -> AsyncStream<Result<Profile?, StorageError>>
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
