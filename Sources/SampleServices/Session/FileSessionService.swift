import Foundation

/// The session in a file of the data folder, and each profile in a folder below it.
///
/// The file is `session.json`, a JSON object with format, version and the name of the profile; where there is none,
/// nobody is signed in. A profile's folder is `profiles/NAME`.
///
/// - Isolation: None. Files are touched on a dispatch queue of the service; waiting for the lock occupies no thread.
/// - Cancellation: Signing in or out gives up while it waits for the lock, and not later.
public final class FileSessionService: SessionService {
    /// The path of the data folder.
    public let commonFolder: String

    private let file: ProfileFile<SessionRecord>

    /// Makes a service for a data folder. Nothing is read or made yet; signing in makes the folder if need be.
    ///
    /// - Parameters:
    ///   - folder: The path of the data folder.
    ///   - lockLimit: How long to wait for the lock. The default is 10 seconds.
    ///   - clock: What the waiting is measured on.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        commonFolder = folder
        file = ProfileFile(folder: folder, name: "session", lockLimit: lockLimit, clock: clock, system: system)
    }

    /// Reads the file. Where there is none nobody is signed in.
    ///
    /// - Returns: The profile, or nil.
    /// - Throws: What kept the file from being read.
    public func current() async throws(ProfileServiceError) -> Profile? {
        try await file.perform { (file) throws(ProfileServiceError) in try file.read().document?.name }.map(profile)
    }

    /// Makes the folder of the profile, and writes the file.
    ///
    /// - Parameter name: The name of the profile.
    /// - Returns: The profile.
    /// - Throws: What kept the folder from being made, or the file from being written.
    public func signIn(_ name: ProfileName) async throws(ProfileServiceError) -> Profile {
        let profile = profile(name)
        try await file.perform { (_) throws(ProfileServiceError) in
            do throws(SystemError) {
                try FileSystem.makeFolder(profile.folder)
            } catch {
                throw ProfileServiceError(error, .folder, file: profile.folder)
            }
        }
        _ = try await file.update { _ in SessionRecord(name: name) }
        return profile
    }

    /// Removes the file.
    ///
    /// - Throws: What kept it from being removed. One that can't be read stays.
    public func signOut() async throws(ProfileServiceError) {
        // Where nobody is signed in nothing is made, not even a folder.
        if try await current() != nil { _ = try await file.update { _ in nil } }
    }

    private func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: "\(commonFolder)/profiles/\(name)")
    }
}
