import Foundation

/// A history in one file next to the list, safe for use by several processes at once.
///
/// The file, `items-history.jsonl`, is text: a header line with the format and its version, then one step per line as a
/// JSON object. A save merges the changes into the current contents and replaces the file atomically, under the same
/// lock as the list. A file that can't be read completely isn't written to. The list doesn't depend on the history:
/// removing its file starts a new history.
///
/// The list and its history are two files. A step is recorded before the list is saved, and its undoing afterwards. A
/// program that is killed in between therefore leaves a step with nothing left to undo, never a change without a step.
///
/// - Isolation: None. Files are accessed on a dispatch queue of the service. Waiting for the lock doesn't block a
///   thread.
/// - Cancellation: A save can be cancelled while it waits for the lock, but not after that.
public final class FileItemsHistoryService: ItemsHistoryService {
    /// The size of the largest file that is read or written, in bytes: a change of all items of the largest list.
    private static let largestSize = 3 * ItemsFileAccess.largestSize

    /// The path of the file.
    public let file: String

    private let folder: String
    private let lockFile: String
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let limit: Int
    private let system: FileSystem
    private let queue = DispatchQueue(label: "relux.sample.items-history-file")

    /// Creates a service for the folder of a list. Nothing is read or created yet. The first save creates the folder if
    /// necessary.
    ///
    /// - Parameters:
    ///   - folder: The path of the data folder.
    ///   - limit: The maximum number of steps to keep. The default is ``ItemsHistory/standardLimit``.
    ///   - lockLimit: How long a save waits for the lock. The default is 10 seconds.
    ///   - clock: The clock that measures the waiting.
    public convenience init(
        folder: String,
        limit: Int = ItemsHistory.standardLimit,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, limit: limit, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(folder: String, limit: Int, lockLimit: Duration, clock: any Clock<Duration>, system: FileSystem) {
        // The history belongs next to the list itself, wherever a symbolic link leads. All processes that share the
        // list then share its history and its lock.
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

    /// Reads the file. If there is no file, the history is empty.
    ///
    /// - Throws: If the file can't be read. The error names the damaged line if there is one.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        try await perform { (service) throws(ItemsServiceError) in try service.read().history }
    }

    /// Merges changes into the file.
    ///
    /// - Returns: The contents of the file after the save.
    /// - Throws: If the file can't be read or written, or the lock can't be acquired.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        let lock = try await locked()
        return try await perform { (service) throws(ItemsServiceError) in
            try withExtendedLifetime(lock) { () throws(ItemsServiceError) in try service.merge(changes) }
        }
    }

    /// Renames a file that can't be read to `items-history-unreadable.jsonl`, or a similar name that is free.
    ///
    /// - Returns: The new path, or nil if the file can be read or doesn't exist.
    /// - Throws: If the file can't be renamed, or the lock can't be acquired.
    public func setAside() async throws(ItemsServiceError) -> String? {
        let lock = try await locked()
        return try await perform { (service) throws(ItemsServiceError) in
            try withExtendedLifetime(lock) { () throws(ItemsServiceError) in try service.renameIfUnreadable() }
        }
    }

    private func locked() async throws(ItemsServiceError) -> FileLock {
        try await perform { (service) throws(ItemsServiceError) in
            do throws(SystemError) {
                try FileSystem.makeFolder(service.folder)
            } catch {
                throw error.serviceError(.folder, file: service.folder)
            }
        }
        return try await FileLock.takenForList(path: lockFile, within: lockLimit, on: clock)
    }

    /// The caller must hold the lock, so that no other process begins a new history in between.
    private func renameIfUnreadable() throws(ItemsServiceError) -> String? {
        do throws(ItemsServiceError) {
            _ = try read()
            return nil
        } catch {
            var aside = folder + "/items-history-unreadable.jsonl"
            var number = 2
            while FileManager.default.fileExists(atPath: aside) {
                aside = folder + "/items-history-unreadable-\(number).jsonl"
                number += 1
            }
            do throws(SystemError) {
                try system.replace(file, aside)
            } catch {
                throw error.serviceError(.write, file: file)
            }
            return aside
        }
    }

    /// Merges changes into the file. The caller must hold the lock.
    private func merge(_ changes: [ItemsHistory.Change]) throws(ItemsServiceError) -> ItemsHistory {
        var (history, permissions) = try read()
        guard !changes.isEmpty else { return history }
        for change in changes { history.apply(change) }
        let bytes = ItemsHistoryDocument(history: history).bytes
        do throws(SystemError) {
            if bytes.count > Self.largestSize { throw .tooLarge }
            _ = try AtomicFile(path: file, system: system).replace(with: bytes, permissions: permissions)
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
            bytes = try descriptor.readToEnd(expecting: stamp.size, limit: Self.largestSize)
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
