import Foundation

/// A history in one file beside the list, which several processes may use at once.
///
/// The file, `items-history.jsonl`, is text: a header line with format and version, then one step a line as a JSON
/// object. A save merges what happened into what stands there at that moment and replaces the file as a whole, under
/// the same lock as the list. A file that can't be read entirely isn't written to; the list doesn't depend on it, and
/// who removes the file begins a new history.
///
/// The list and its history are two files, saved one after the other. A program that is killed in between leaves a step
/// that can't be undone, or one of which nothing is left to undo; both are harmless.
///
/// - Isolation: None. Files are touched on a dispatch queue of the service; waiting for the lock occupies no thread.
/// - Cancellation: A save gives up while it waits for the lock, and not later.
public final class FileItemsHistoryService: ItemsHistoryService {
    /// The path of the file.
    public let file: String

    private let folder: String
    private let lockFile: String
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let limit: Int
    private let system: FileSystem
    private let queue = DispatchQueue(label: "relux.sample.items-history-file")

    /// Makes a service for the folder of a list. Nothing is read or made yet; the first save makes the folder if need
    /// be.
    ///
    /// - Parameters:
    ///   - folder: The path of the data folder.
    ///   - limit: How many steps are kept. The default is ``ItemsHistory/standardLimit``.
    ///   - lockLimit: How long a save waits for the lock. The default is 10 seconds.
    ///   - clock: What the waiting is measured on.
    public convenience init(
        folder: String,
        limit: Int = ItemsHistory.standardLimit,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, limit: limit, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, limit: Int, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        // Beside the list itself, wherever a link leads to, so that all who share the list share its history and lock.
        let list = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "items.jsonl")
            .resolvingSymlinksInPath()
        self.folder = (list.path(percentEncoded: false) as NSString).deletingLastPathComponent
        file = self.folder + "/items-history.jsonl"
        lockFile = self.folder + "/items.lock"
        self.limit = limit
        self.lockLimit = lockLimit
        self.clock = clock
        self.system = system
    }

    /// Reads the file. Where there is none the history is empty.
    ///
    /// - Returns: The history in the file.
    /// - Throws: What kept the file from being read, with the line where one is damaged.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        try await perform { (service) throws(ItemsServiceError) in try service.read().history }
    }

    /// Merges what happened into the file.
    ///
    /// - Parameter changes: What happened.
    /// - Returns: What the file holds now.
    /// - Throws: What kept the file from being read or written, or the lock from being taken.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        try await perform { (service) throws(ItemsServiceError) in
            do throws(SystemError) {
                try FileSystem.makeFolder(service.folder)
            } catch {
                throw error.serviceError(.folder, file: service.folder)
            }
        }
        let lock = try await FileLock.takenForList(path: lockFile, within: lockLimit, on: clock)
        return try await perform { (service) throws(ItemsServiceError) in
            try withExtendedLifetime(lock) { () throws(ItemsServiceError) in try service.merge(changes) }
        }
    }

    /// The caller holds the lock.
    private func merge(_ changes: [ItemsHistory.Change]) throws(ItemsServiceError) -> ItemsHistory {
        var (history, permissions) = try read()
        guard !changes.isEmpty else { return history }
        for change in changes { history.apply(change) }
        let document = ItemsHistoryDocument(history: history)
        do throws(SystemError) {
            _ = try AtomicFile(path: file, system: system).replace(with: document.bytes, permissions: permissions)
        } catch {
            throw error.serviceError(.write, file: file)
        }
        return history
    }

    private func read() throws(ItemsServiceError) -> (history: ItemsHistory, permissions: mode_t) {
        let bytes: [UInt8]
        let stamp: FileStamp
        do {
            guard let standing = try FileStamp(path: file) else { return (ItemsHistory(limit: limit), 0o600) }
            guard standing.isFile else { throw ItemsServiceError(.notAFile, file: file) }
            let descriptor = try FileSystem.openFile(file, O_RDONLY)
            stamp = try FileStamp(of: descriptor)
            bytes = try descriptor.readToEnd(expecting: stamp.size)
        } catch let error as ItemsServiceError {
            throw error
        } catch {
            throw (error as? SystemError ?? SystemError(code: EIO)).serviceError(.read, file: file)
        }
        return (try ItemsHistoryDocument(parsing: bytes, file: file, limit: limit).history, stamp.permissions)
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (FileItemsHistoryService) throws(ItemsServiceError) -> Value
    ) async throws(ItemsServiceError) -> Value {
        try await queue.perform { () throws(ItemsServiceError) in try work(self) }
    }
}
