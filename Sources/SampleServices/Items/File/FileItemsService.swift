import Foundation
import Synchronization

/// Items in one file of a data folder, safe for use by several processes at once.
///
/// The file, `items.jsonl`, is text: a header line with the format and its version, then one item per line as a JSON
/// object, with dates to the millisecond. A save merges its changes into the current contents and replaces the file
/// atomically, so that a crash leaves the old version or the new one. It holds a lock on `items.lock` in the same
/// folder from before it reads until after it has written, so that no update of another process is lost. The system
/// releases that lock when the process ends. A load needs no lock. A file that can't be read completely isn't written
/// to.
///
/// - Isolation: None. Files are accessed on a dispatch queue of the service. Waiting for the lock doesn't block a
///   thread.
/// - Cancellation: A save can be cancelled while it waits for the lock, but not after that.
/// - Lifetime: A sequence of changes outlives the service for as long as it has a reader.
public final class FileItemsService: ItemsService {
    /// The path of the file.
    public let file: String

    private let folder: String
    private let isMakingFolder: Bool
    private let lockFile: String
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let access: ItemsFileAccess

    /// Creates a service for a folder. Nothing is read or created yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the data folder.
    ///   - isMakingFolder: Whether to create a missing folder. Otherwise a save to a missing folder fails, so that
    ///     nothing is written after the folder's removal.
    ///   - lockLimit: How long a save waits for the lock. The default is 10 seconds.
    ///   - clock: The clock that measures the waiting.
    public convenience init(
        folder: String,
        isMakingFolder: Bool = true,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            folder: folder, isMakingFolder: isMakingFolder, lockLimit: lockLimit, clock: clock, system: .live
        )
    }

    init(
        folder: String, isMakingFolder: Bool = true, lockLimit: Duration, clock: any Clock<Duration>,
        system: FileSystem
    ) {
        // A symbolic link is resolved once and for all. Otherwise a rename would replace the link with a file, and two
        // processes that use different paths wouldn't share a lock.
        let file = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "items.jsonl")
            .resolvingSymlinksInPath()
        self.file = file.path(percentEncoded: false)
        self.folder = (self.file as NSString).deletingLastPathComponent
        self.lockFile = self.folder + "/items.lock"
        self.isMakingFolder = isMakingFolder
        self.lockLimit = lockLimit
        self.clock = clock
        access = ItemsFileAccess(file: self.file, system: system)
    }

    /// Reads the file. If there is no file, there are no items.
    ///
    /// - Throws: If the file can't be read. The error names the damaged line if there is one.
    /// - Complexity: O(*n*) in the number of items, or O(1) if the file hasn't changed since it was last read.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await access.perform { (access) throws(ItemsServiceError) in try access.read() }
    }

    /// Merges changes into the file.
    ///
    /// - Returns: The contents of the file after the save.
    /// - Throws: If the file can't be read or written, or the lock can't be acquired.
    /// - Complexity: O(*n*) in the number of items.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await makeFolderIfMeant()
        let lock = try await FileLock.acquired(path: lockFile, within: lockLimit, on: clock)
        return try await access.perform { (access) throws(ItemsServiceError) in
            try withExtendedLifetime(lock) { () throws(ItemsServiceError) in try access.merge(changes) }
        }
    }

    /// The versions of the file that other processes write. A missing folder is created if the service was configured
    /// to do so.
    ///
    /// - Returns: A sequence for a single reader.
    public func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Result<ItemsSnapshot, ItemsServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let folder = folder
        do throws(ItemsServiceError) {
            try await makeFolderIfMeant()
            try await access.perform { (access) throws(ItemsServiceError) in
                try Self.watch(folder, of: access, continuation)
            }
        } catch {
            continuation.yield(.failure(error))
            continuation.finish()
        }
        return stream
    }

    /// Runs on the queue, like the events. No event can therefore be handled before the first check.
    private static func watch(
        _ folder: String,
        of access: ItemsFileAccess,
        _ continuation: AsyncStream<Result<ItemsSnapshot, ItemsServiceError>>.Continuation
    ) throws(ItemsServiceError) {
        let check: @Sendable () -> Void = {
            do throws(ItemsServiceError) {
                if let snapshot = try access.readIfChangedElsewhere() { continuation.yield(.success(snapshot)) }
            } catch {
                continuation.yield(.failure(error))
            }
        }
        do {
            let watch = try FolderWatch(folder: folder, queue: access.queue) { event in
                switch event {
                case .changed: check()
                case .vanished:
                    continuation.yield(.failure(ItemsServiceError(.folderVanished, file: folder)))
                    continuation.finish()
                }
            }
            continuation.onTermination = { _ in watch.cancel() }
        } catch {
            throw StorageError(error, .watch, file: folder)
        }
        // Catches what was written between the last load and the start of the watch.
        check()
    }

    private func makeFolderIfMeant() async throws(ItemsServiceError) {
        guard isMakingFolder else { return }
        try await access.perform { [folder] (_) throws(ItemsServiceError) in
            try FileSystem.makeDataFolder(folder)
        }
    }
}
