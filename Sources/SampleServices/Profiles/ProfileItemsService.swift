/// The items of whoever the data belong to at present. While a door is closed, its calls wait.
public struct ProfileItemsService: ItemsService {
    private let services: ProfileServices<any ItemsService>

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - door: Says whose data it is.
    ///   - make: Makes the service of one folder.
    public init(
        behind door: ProfileDoor,
        make: @escaping @Sendable (_ folder: String) -> any ItemsService = { FileItemsService(folder: $0) }
    ) {
        services = ProfileServices(behind: door, make: make)
    }

    /// Reads all items.
    ///
    /// - Returns: The items as they are stored now.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await service().load()
    }

    /// Merges changes into what is stored now.
    ///
    /// - Parameter changes: What is to become of which items.
    /// - Returns: What is stored now.
    /// - Throws: What the service of the folder throws; that it was cancelled where it was before the door opened.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await service().save(changes)
    }

    /// The changes that others make, in the folder that the door is open to when it begins.
    ///
    /// - Returns: A sequence for one reader, which doesn't follow when the door opens to another folder: whoever opens
    ///   it sees to it that the readers begin anew.
    public func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        await services.current()?.changesElsewhere() ?? .ended
    }

    private func service() async throws(ItemsServiceError) -> any ItemsService {
        guard let service = await services.current() else { throw ItemsServiceError(.cancelled, file: "items.jsonl") }
        return service
    }
}
