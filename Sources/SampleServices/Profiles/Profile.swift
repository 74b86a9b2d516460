/// One person's data on this computer.
public struct Profile: Sendable, Hashable {
    /// The name of the profile.
    public let name: ProfileName

    /// The path of the folder that contains all of the profile's data.
    public let folder: String

    /// Creates a profile.
    ///
    /// - Parameter folder: The path of the folder that contains all of the profile's data.
    public init(name: ProfileName, folder: String) {
        self.name = name
        self.folder = folder
    }
}
