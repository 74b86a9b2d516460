/// The tutorial's memory of the current profile. While the door is closed, calls wait.
public struct ProfileTutorialService: TutorialService {
    private let services: ProfileServices<any TutorialService>

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - door: Decides whose data is used.
    ///   - make: Creates the service for one folder.
    public init(
        behind door: ProfileDoor,
        make: @escaping @Sendable (_ folder: String) -> any TutorialService = { FileTutorialService(folder: $0) }
    ) {
        services = ProfileServices(behind: door, make: make)
    }

    /// Reads what is remembered.
    ///
    /// - Throws: Any error of the folder's service, or a cancellation error if the task is cancelled before the door
    ///   opens.
    public func memory() async throws(ProfileServiceError) -> TutorialMemory {
        try await service().memory()
    }

    /// Waits for the turn to give the tutorial or to change what is remembered.
    ///
    /// - Throws: Any error of the folder's service, or a cancellation error if the task is cancelled before the door
    ///   opens.
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
