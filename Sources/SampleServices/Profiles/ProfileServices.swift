/// The services of one kind, one for each profile's folder, behind a door. While the door is closed, calls wait.
///
/// A call throws any error of the folder's service, or a cancellation error if its task is cancelled before the door
/// opens.
public final class ProfileServices<Service: Sendable>: Sendable {
    private let door: ProfileDoor
    private let make: @Sendable (_ folder: String) -> Service
    /// The service used last. It is kept because it remembers what it has seen.
    private let last = Lock<(folder: String, service: Service)?>(nil)

    /// Creates the services, each when its folder is first used.
    public init(behind door: ProfileDoor, make: @escaping @Sendable (_ folder: String) -> Service) {
        self.door = door
        self.make = make
    }

    /// The service of the current profile, or nil if the task is cancelled.
    private func current() async -> Service? {
        guard let folder = await door.folder() else { return nil }
        return last.withLock { last in
            if let last, last.folder == folder { return last.service }
            let service = make(folder)
            last = (folder, service)
            return service
        }
    }

    private func service(of file: String) async throws(StorageError) -> Service {
        guard let service = await current() else { throw StorageError(.cancelled, file: file) }
        return service
    }
}

/// The items of the current profile.
public typealias ProfileItemsService = ProfileServices<any ItemsService>

extension ProfileItemsService: ItemsService {
    /// Stores the items of each profile in a file.
    public convenience init(behind door: ProfileDoor) {
        self.init(behind: door) { FileItemsService(folder: $0) }
    }

    /// Reads all items.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await service(of: "items.jsonl").load()
    }

    /// Merges changes into the stored items.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await service(of: "items.jsonl").save(changes)
    }

    /// The changes made elsewhere in the folder to which the door is open when the sequence starts.
    public func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        await current()?.changesElsewhere() ?? .ended
    }
}

/// The history of the current profile's list.
public typealias ProfileItemsHistoryService = ProfileServices<any ItemsHistoryService>

extension ProfileItemsHistoryService: ItemsHistoryService {
    /// Stores the history of each profile in a file.
    public convenience init(behind door: ProfileDoor) {
        self.init(behind: door) { FileItemsHistoryService(folder: $0) }
    }

    /// Reads the history.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        try await service(of: "items-history.jsonl").load()
    }

    /// Merges changes into the stored history.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        try await service(of: "items-history.jsonl").save(changes)
    }

    /// Sets an unreadable history aside.
    public func setAside() async throws(ItemsServiceError) -> String? {
        try await service(of: "items-history.jsonl").setAside()
    }
}

/// The settings of the current profile.
public typealias ProfileSettingsService = ProfileServices<any SettingsService>

extension ProfileSettingsService: SettingsService {
    /// Stores the settings of each profile in a file.
    public convenience init(behind door: ProfileDoor) {
        self.init(behind: door) { FileSettingsService(folder: $0) }
    }

    /// Reads the settings.
    public func load() async throws(ProfileServiceError) -> SettingsSnapshot {
        try await service(of: "settings.json").load()
    }

    /// Merges changes into the stored settings.
    public func save(_ changes: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot {
        try await service(of: "settings.json").save(changes)
    }

    /// The changes made elsewhere in the folder to which the door is open when the sequence starts.
    public func changesElsewhere() async -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>> {
        await current()?.changesElsewhere() ?? .ended
    }
}

extension AsyncStream {
    /// A stream that has already ended.
    fileprivate static var ended: AsyncStream { AsyncStream { $0.finish() } }
}
