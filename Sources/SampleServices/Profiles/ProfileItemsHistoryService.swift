/// The history of the list of whoever the data belong to at present. While a door is closed, its calls wait.
public struct ProfileItemsHistoryService: ItemsHistoryService {
    private let services: ProfileServices<any ItemsHistoryService>

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - door: Says whose data it is.
    ///   - make: Makes the service of one folder.
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
    /// - Returns: The history as it is stored now.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        try await service().load()
    }

    /// Merges what happened into what is stored now.
    ///
    /// - Parameter changes: What happened.
    /// - Returns: What is stored now.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        try await service().save(changes)
    }

    private func service() async throws(ItemsServiceError) -> any ItemsHistoryService {
        guard let service = await services.current() else {
            throw ItemsServiceError(.cancelled, file: "items-history.jsonl")
        }
        return service
    }
}
