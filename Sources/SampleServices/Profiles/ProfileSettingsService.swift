/// The settings of whoever the data belong to at present. While a door is closed, its calls wait.
public struct ProfileSettingsService: SettingsService {
    private let services: ProfileServices<any SettingsService>

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - door: Says whose data it is.
    ///   - make: Makes the service of one folder.
    public init(
        behind door: ProfileDoor,
        make: @escaping @Sendable (_ folder: String) -> any SettingsService = { FileSettingsService(folder: $0) }
    ) {
        services = ProfileServices(behind: door, make: make)
    }

    /// Reads the settings.
    ///
    /// - Returns: The settings as they are stored now.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func load() async throws(ProfileServiceError) -> SettingsSnapshot {
        try await service().load()
    }

    /// Merges changes into what is stored now.
    ///
    /// - Parameter changes: What is to be otherwise.
    /// - Returns: What is stored now.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func save(_ changes: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot {
        try await service().save(changes)
    }

    /// The changes that others make, in the folder that the door is open to when it begins.
    ///
    /// - Returns: A sequence for one reader, which doesn't follow when the door opens to another folder: whoever opens
    ///   it sees to it that the readers begin anew.
    public func changesElsewhere() async -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>> {
        await services.current()?.changesElsewhere() ?? .ended
    }

    private func service() async throws(ProfileServiceError) -> any SettingsService {
        guard let service = await services.current() else {
            throw ProfileServiceError(.cancelled, file: "settings.json")
        }
        return service
    }
}
