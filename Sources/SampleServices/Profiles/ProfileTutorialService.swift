/// What is remembered of the tutorial of whoever the data belong to at present. While a door is closed, its calls wait.
public struct ProfileTutorialService: TutorialService {
    private let services: ProfileServices<any TutorialService>

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - door: Says whose data it is.
    ///   - make: Makes the service of one folder.
    public init(
        behind door: ProfileDoor,
        make: @escaping @Sendable (_ folder: String) -> any TutorialService = { FileTutorialService(folder: $0) }
    ) {
        services = ProfileServices(behind: door, make: make)
    }

    /// Reads what is remembered.
    ///
    /// - Returns: What is remembered now.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func memory() async throws(ProfileServiceError) -> TutorialMemory {
        try await service().memory()
    }

    /// Waits for the turn to give the tutorial, or to change what is remembered.
    ///
    /// - Returns: The turn.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func begin() async throws(ProfileServiceError) -> TutorialTurn {
        try await service().begin()
    }

    private func service() async throws(ProfileServiceError) -> any TutorialService {
        guard let service = await services.current() else {
            throw ProfileServiceError(.cancelled, file: "tutorial.json")
        }
        return service
    }
}
