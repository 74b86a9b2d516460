/// Items in one file of a data folder, safe for use by several processes at once.
///
/// The file, `items.jsonl`, is text: a header line with the format and its version, then one item per line as a JSON
/// object, with dates to the millisecond. A save merges its changes into the current contents and replaces the file
/// atomically, so that a crash leaves the old version or the new one. It holds a lock on `items.lock` in the same
/// folder from before it reads until after it has written, so that no update of another process is lost. The system
/// releases that lock when the process ends. A load needs no lock. A file that can't be read completely isn't written
/// to.
///
/// - Lifetime: A sequence of changes outlives the service for as long as it has a reader.
public final class FileItemsService: ItemsService {
    /// The path of the file.
    public var file: String { access.path }

    private let access: StoredFile<ItemsDocument>

    /// Creates a service for a folder. Nothing is read or created yet.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        access = StoredFile(
            path: FileSystem.path(of: "items.jsonl", in: folder), lock: "items.lock", lockLimit: lockLimit,
            clock: clock, system: system)
    }

    /// Reads the file. If there is no file, there are no items.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        ItemsSnapshot(try await access.perform { (access) throws(ItemsServiceError) in try access.read() })
    }

    /// Merges changes into the file.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        ItemsSnapshot(
            try await access.update { document in
                guard !changes.isEmpty else { return .keep }
                var document = document ?? ItemsDocument()
                document.apply(changes)
                return .write(document)
            })
    }

    /// The versions of the file that other processes write. A missing folder is created if the service was configured
    /// to do so.
    public func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Result<ItemsSnapshot, ItemsServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        await access.changesElsewhere(in: continuation) { ItemsSnapshot($0) }
        return stream
    }
}

extension ItemsSnapshot {
    fileprivate init(_ version: StoredFile<ItemsDocument>.Version) {
        self.init(items: version.document?.items ?? [], revision: version.revision)
    }
}
