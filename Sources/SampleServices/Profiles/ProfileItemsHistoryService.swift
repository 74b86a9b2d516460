/// The history of the current profile's list. While the door is closed, calls wait.
public struct ProfileItemsHistoryService: ItemsHistoryService {
    private let services: ProfileServices<any ItemsHistoryService>

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - door: Decides whose data is used.
    ///   - make: Creates the service for one folder.
    public init(
        behind door: ProfileDoor,
        make: @escaping @Sendable (_ folder: String) -> any ItemsHistoryService = {
            FileItemsHistoryService(folder: $0)
        }
    ) {
        services = ProfileServices(behind: door, make: make)
    }

    /// Reads the history.
    ///
    /// - Throws: Any error of the folder's service, or a cancellation error if the task is cancelled before the door
    ///   opens.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        try await service().load()
    }

    /// Merges changes into the stored history.
    ///
    /// - Returns: The stored history after the save.
    /// - Throws: Any error of the folder's service, or a cancellation error if the task is cancelled before the door
    ///   opens.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        try await service().save(changes)
    }

    /// Sets an unreadable history aside.
    ///
    /// - Throws: Any error of the folder's service, or a cancellation error if the task is cancelled before the door
    ///   opens.
    public func setAside() async throws(ItemsServiceError) -> String? {
        try await service().setAside()
    }

    private func service() async throws(ItemsServiceError) -> any ItemsHistoryService {
        guard let service = await services.current() else {
            throw ItemsServiceError(.cancelled, file: "items-history.jsonl")
        }
        return service
    }
}
