import Foundation
import Synchronization

/// Items in one file of a data folder, which several processes may use at once.
///
/// The file, `items.jsonl`, is text: a header line with format and version, then one item a line as a JSON object, with
/// dates to the millisecond. A save merges its changes into what stands there at that moment and replaces the file as
/// a whole, so that a crash leaves the old version or the new one. It holds a lock, on `items.lock` beside it, from
/// before it reads until after it has written, so that no update of another process is lost; the system drops that lock
/// with the process. A load needs no lock. A file that can't be read entirely isn't written to.
///
/// - Isolation: None. Files are touched on a dispatch queue of the service; waiting for the lock occupies no thread.
/// - Cancellation: A save gives up while it waits for the lock, and not later.
/// - Lifetime: Sequences of changes outlive the service as long as somebody reads them.
public final class FileItemsService: ItemsService {
    /// The path of the file.
    public let file: String

    private let folder: String
    private let isMakingFolder: Bool
    private let lockFile: String
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let access: ItemsFileAccess

    /// Makes a service for a folder. Nothing is read or made yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the data folder.
    ///   - isMakingFolder: Whether the folder is made where it is missing; else a save fails there, so that nothing
    ///     comes after its removal.
    ///   - lockLimit: How long a save waits for the lock. The default is 10 seconds.
    ///   - clock: What the waiting is measured on.
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
        // A link is followed once and for all: a rename would put a file in its place, and two processes that come by
        // different ways have to meet at the same lock.
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

    /// Reads the file. Where there is none there are no items.
    ///
    /// - Returns: The items in the file.
    /// - Throws: What kept the file from being read, with the line where one is damaged.
    /// - Complexity: O(*n*) in the number of items, and O(1) where the file is the one seen last.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await access.perform { (access) throws(ItemsServiceError) in try access.read() }
    }

    /// Merges changes into the file.
    ///
    /// - Parameter changes: What is to become of which items.
    /// - Returns: What the file holds now.
    /// - Throws: What kept the file from being read or written, or the lock from being taken.
    /// - Complexity: O(*n*) in the number of items.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await makeFolderIfMeant()
        let lock = try await FileLock.takenForList(path: lockFile, within: lockLimit, on: clock)
        return try await access.perform { (access) throws(ItemsServiceError) in
            try withExtendedLifetime(lock) { () throws(ItemsServiceError) in try access.merge(changes) }
        }
    }

    /// The versions of the file that others write. The folder is made if need be.
    ///
    /// - Returns: A sequence for one reader.
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

    /// Called on the queue, as are the events: none can come before the first check.
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
            throw error.serviceError(.watch, file: folder)
        }
        // What was written between the last load and the beginning of the watch.
        check()
    }

    private func makeFolderIfMeant() async throws(ItemsServiceError) {
        guard isMakingFolder else { return }
        try await access.perform { [folder] (_) throws(ItemsServiceError) in
            do throws(SystemError) {
                try FileSystem.makeFolder(folder)
            } catch {
                throw error.serviceError(.folder, file: folder)
            }
        }
    }
}
