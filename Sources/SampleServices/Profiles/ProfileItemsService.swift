/// The items of the current profile. While the door is closed, calls wait.
public struct ProfileItemsService: ItemsService {
    private let services: ProfileServices<any ItemsService>

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - door: Decides whose data is used.
    ///   - make: Creates the service for one folder.
    public init(
        behind door: ProfileDoor,
        make: @escaping @Sendable (_ folder: String) -> any ItemsService = { FileItemsService(folder: $0) }
    ) {
        services = ProfileServices(behind: door, make: make)
    }

    /// Reads all items.
    ///
    /// - Throws: Any error of the folder's service, or a cancellation error if the task is cancelled before the door
    ///   opens.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await service().load()
    }

    /// Merges changes into the stored items.
    ///
    /// - Returns: The stored items after the save.
    /// - Throws: Any error of the folder's service, or a cancellation error if the task is cancelled before the door
    ///   opens.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await service().save(changes)
    }

    /// The changes made elsewhere in the folder to which the door is open when the sequence starts.
    ///
    /// - Returns: A sequence for a single reader. It stays with its folder when the door opens to another one. The code
    ///   that opens the door must restart the readers.
    public func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        await services.current()?.changesElsewhere() ?? .ended
    }

    private func service() async throws(ItemsServiceError) -> any ItemsService {
        guard let service = await services.current() else { throw ItemsServiceError(.cancelled, file: "items.jsonl") }
        return service
    }
}
