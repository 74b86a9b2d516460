/// Stores a value of the current profile: it passes each call on to a service for the folder of that profile. While the
/// door is closed, calls wait.
///
/// A call throws any error of the folder's service, or ``StorageError/Reason/cancelled`` if its task is cancelled
/// before the door opens.
public final class ProfileService<Value: StoredValue>: StorageService {
    private let door: ProfileDoor
    private let make: @Sendable (_ folder: String) -> any StorageService<Value>
    /// The service used last. It is kept because it remembers what it has seen.
    private let last = Lock<(folder: String, service: any StorageService<Value>)?>(nil)

    /// Creates the services, each when its folder is first used.
    public init(behind door: ProfileDoor, make: @escaping @Sendable (_ folder: String) -> any StorageService<Value>) {
        (self.door, self.make) = (door, make)
    }

    /// Reads the value.
    public func load() async throws(StorageError) -> Snapshot<Value> {
        try await service().load()
    }

    /// Merges changes into the stored value.
    public func save(_ changes: Value.Changes) async throws(StorageError) -> Snapshot<Value> {
        try await service().save(changes)
    }

    /// The changes made elsewhere in the folder to which the door is open when the sequence starts.
    public func changesElsewhere() async -> AsyncStream<Result<Snapshot<Value>, StorageError>> {
        await current()?.changesElsewhere() ?? AsyncStream { $0.finish() }
    }

    /// Sets an unreadable value aside.
    public func setAside() async throws(StorageError) -> String? {
        try await service().setAside()
    }

    private func service() async throws(StorageError) -> any StorageService<Value> {
        guard let service = await current() else { throw StorageError(.cancelled, file: "profiles") }
        return service
    }

    /// The service of the current profile, or nil if the task is cancelled.
    private func current() async -> (any StorageService<Value>)? {
        guard let folder = await door.folder() else { return nil }
        return last.withLock { last in
            if let last, last.folder == folder { return last.service }
            let service = make(folder)
            last = (folder, service)
            return service
        }
    }
}
