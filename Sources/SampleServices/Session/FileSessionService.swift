import Foundation

/// Stores the session in a file of the data folder, and each profile in a folder below it.
///
/// The file is `session.json`, a JSON object with the format, its version, and the name of the profile. If there is no
/// file, nobody is signed in. A profile's folder is `profiles/NAME`.
public final class FileSessionService: SessionService {
    /// The path of the data folder.
    public let commonFolder: String

    private let storage: FileService<JSONDocument<SessionRecord>>

    /// Creates a service for a data folder. Nothing is read or created yet.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        commonFolder = folder
        storage = FileService(folder: folder, lockLimit: lockLimit, clock: clock, system: system)
    }

    /// Reads the file. If there is no file, nobody is signed in.
    public func current() async throws(StorageError) -> Profile? {
        try await storage.load().value.name.map(profile)
    }

    /// Creates the folder of the profile and writes the file.
    public func signIn(_ name: ProfileName) async throws(StorageError) -> Profile {
        let profile = profile(name)
        try await DispatchQueue.global().perform { () throws(StorageError) in
            try FileSystem.makeDataFolder(profile.folder)
        }
        _ = try await storage.save(name)
        return profile
    }

    /// Removes the file. If nobody is signed in, nothing is created, not even a folder.
    public func signOut() async throws(StorageError) {
        _ = try await storage.save(nil)
    }

    /// Follows the file.
    public func changesElsewhere() async -> AsyncStream<Result<Profile?, StorageError>> {
        await storage.profilesElsewhere(profile)
    }

    private func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: "\(commonFolder)/profiles/\(name)")
    }
}
