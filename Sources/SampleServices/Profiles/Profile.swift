/// A person's data on this computer.
public struct Profile: Sendable, Hashable {
    /// What it is called.
    public let name: ProfileName

    /// The path of the folder that everything of it is in.
    public let folder: String

    /// Makes a profile.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - folder: The path of the folder that everything of it is in.
    public init(name: ProfileName, folder: String) {
        self.name = name
        self.folder = folder
    }
}
