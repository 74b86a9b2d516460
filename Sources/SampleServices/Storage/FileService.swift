import Foundation

/// Stores a value in one file of a folder, safe for use by several processes at once.
///
/// A save merges its changes into the current contents and replaces the file atomically, so that a crash leaves the old
/// version or the new one. It holds a lock on a file next to it from before it reads until after it has written, so
/// that no update of another process is lost. The system releases that lock when the process ends. A load needs no
/// lock. A file that can't be read completely isn't written to, and what would be too large to be read again isn't
/// written.
///
/// - Isolation: None. Files are accessed on a dispatch queue, so that no thread of the cooperative pool is blocked.
/// - Lifetime: A sequence of changes outlives the service for as long as it has a reader.
public final class FileService<Document: StoredDocument>: StorageService {
    /// What is stored.
    public typealias Value = Document.Value

    private struct Memory {
        /// The version of the file that the document was read from, or nil for no file.
        var stamp: FileStamp?
        var document = Document()
        /// The revision of the document, or 0 until the file has been read.
        var revision = 0
        /// The revision that a call returned last, or nil before the first one.
        var given: Int?

        var snapshot: Snapshot<Value> { Snapshot(document.value, revision: revision) }
    }

    /// The path of the file.
    public let file: String

    private let folder: String
    private let queue: DispatchQueue
    private let largestSize: Int
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let system: FileSystem
    /// The synchronous methods are called on the queue, one call at a time. The lock makes this safe in the eyes of the
    /// compiler.
    private let memory = Lock(Memory())

    /// Creates a service for a folder. Nothing is read or created yet. The first save creates the folder if necessary.
    ///
    /// - Parameters:
    ///   - lockLimit: How long a save waits for other processes.
    ///   - clock: Measures that wait, and the time between two looks at the file in ``changesElsewhere()``.
    public convenience init(
        folder: String,
        lockLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(folder: folder, lockLimit: lockLimit, clock: clock, system: .live)
    }

    init(
        folder: String,
        largestSize: Int = Document.largestSize,
        lockLimit: Duration,
        clock: any Clock<Duration>,
        system: FileSystem
    ) {
        file = Document.path(in: folder)
        self.folder = (file as NSString).deletingLastPathComponent
        queue = DispatchQueue(label: "relux.sample.\(Document.fileName)")
        (self.largestSize, self.lockLimit, self.clock, self.system) = (largestSize, lockLimit, clock, system)
    }

    /// Reads the file. A version that was already seen isn't read again.
    public func load() async throws(StorageError) -> Snapshot<Value> {
        try await perform { (file) throws(StorageError) in try file.read() }
    }

    /// Merges changes into the file. If they change nothing, nothing is written.
    public func save(_ changes: Value.Changes) async throws(StorageError) -> Snapshot<Value> {
        let known = try? await perform { (file) throws(StorageError) in try file.snapshot(unlessChangedBy: changes) }
        if let known { return known }
        return try await performLocked { (file) throws(StorageError) in try file.merge(changes) }
    }

    /// Renames a file that can't be read to `NAME-unreadable`, or a similar name that is free. It holds the lock, so
    /// that no other process begins a new file in between.
    public func setAside() async throws(StorageError) -> String? {
        try await performLocked { (file) throws(StorageError) in try file.renameIfUnreadable() }
    }

    /// Looks at the file now, and then four times a second. Only a new version is read.
    public func changesElsewhere() -> AsyncStream<Result<Snapshot<Value>, StorageError>> {
        let reader = Lock(ChangesReader())
        return AsyncStream { [self] in
            while !Task.isCancelled {
                if reader.withLock({ $0.hasLooked }) {
                    guard (try? await clock.sleep(for: .milliseconds(250))) != nil else { return nil }
                }
                do throws(StorageError) {
                    let (snapshot, given) = try await perform { (file) throws(StorageError) in try file.look() }
                    if reader.withLock({ $0.isNews(snapshot.revision, given: given) }) { return .success(snapshot) }
                } catch {
                    if reader.withLock({ $0.isNews(error) }) { return .failure(error) }
                }
            }
            return nil
        }
    }
}

// MARK: - On the queue

extension FileService {
    private func perform<Result: Sendable>(
        _ work: @escaping @Sendable (FileService) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await queue.perform { () throws(StorageError) in try work(self) }
    }

    /// Runs work under the lock, which excludes all other writers. A missing folder is created for it.
    private func performLocked<Result: Sendable>(
        _ work: @escaping @Sendable (FileService) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await perform { (file) throws(StorageError) in try FileSystem.makeDataFolder(file.folder) }
        let lock = try await FileLock.acquired(path: "\(folder)/\(Document.lockName)", within: lockLimit, on: clock)
        return try await perform { (file) throws(StorageError) in
            try withExtendedLifetime(lock) { () throws(StorageError) in try work(file) }
        }
    }

    private func read() throws(StorageError) -> Snapshot<Value> {
        try memory.withLock { (memory) throws(StorageError) in
            do throws(StorageError) {
                try refresh(&memory)
            } catch {
                // A failed read has returned nothing, so a version that can be read later must be reported as a change.
                memory.given = memory.given ?? 0
                throw error
            }
            memory.given = memory.revision
            return memory.snapshot
        }
    }

    /// The contents of the file, and the revision that a call returned last. Looking doesn't count as a call.
    func look() throws(StorageError) -> (snapshot: Snapshot<Value>, given: Int?) {
        try memory.withLock { (memory) throws(StorageError) in
            try refresh(&memory)
            return (memory.snapshot, memory.given)
        }
    }

    private func snapshot(unlessChangedBy changes: Value.Changes) throws(StorageError) -> Snapshot<Value>? {
        try memory.withLock { (memory) throws(StorageError) in
            try refresh(&memory)
            if memory.document.isChanged(by: changes) { return nil }
            memory.given = memory.revision
            return memory.snapshot
        }
    }

    /// Merges changes for a caller that holds the lock. If this fails, nothing has been returned: earlier changes made
    /// elsewhere must still be reported.
    func merge(_ changes: Value.Changes) throws(StorageError) -> Snapshot<Value> {
        try memory.withLock { (memory) throws(StorageError) in
            try refresh(&memory)
            if memory.document.isChanged(by: changes) { try write(changes, &memory) }
            memory.given = memory.revision
            return memory.snapshot
        }
    }

    private func write(_ changes: Value.Changes, _ memory: inout Memory) throws(StorageError) {
        var document = memory.document
        document.apply(changes)
        do {
            if let pieces = try document.pieces() {
                // What can't be read again must not be written.
                memory.stamp = try AtomicFile(path: file, limit: largestSize, system: system)
                    .replace(with: pieces, permissions: memory.stamp?.permissions ?? 0o600)
                memory.document = document
            } else {
                if unlink(file) != 0, errno != ENOENT { throw SystemError.last }
                try system.synchronize(FileSystem.openFile(folder, O_RDONLY))
                (memory.stamp, memory.document) = (nil, document)
            }
        } catch {
            // Text, numbers and dates can always be encoded, so any other error is unreachable.
            throw StorageError(error as? SystemError ?? SystemError(code: EINVAL), .write, file: file)
        }
        memory.revision += 1
    }

    private func renameIfUnreadable() throws(StorageError) -> String? {
        if (try? look()) != nil { return nil }
        let stem = (file as NSString).deletingPathExtension + "-unreadable"
        let suffix = "." + (file as NSString).pathExtension
        var (number, aside) = (1, stem + suffix)
        while FileManager.default.fileExists(atPath: aside) {
            number += 1
            aside = "\(stem)-\(number)\(suffix)"
        }
        do {
            try system.replace(file, aside)
        } catch {
            throw StorageError(error, .write, file: file)
        }
        return aside
    }

    /// Reads the file unless it is the version seen last.
    private func refresh(_ memory: inout Memory) throws(StorageError) {
        let read: (stamp: FileStamp, bytes: [UInt8])
        do throws(SystemError) {
            guard let stamp = try FileStamp(path: file) else { return try noteMissing(&memory) }
            if stamp == memory.stamp { return }
            guard stamp.isFile else { throw SystemError(code: EISDIR) }
            guard let descriptor = try FileSystem.openIfThere(file) else { return try noteMissing(&memory) }
            read = (try FileStamp(of: descriptor), try descriptor.readToEnd(expecting: stamp.size, limit: largestSize))
        } catch {
            throw StorageError(error, .read, file: error == .vanished ? folder : file)
        }
        memory.document = try Document(parsing: read.bytes, file: file)
        memory.stamp = read.stamp
        memory.revision += 1
    }

    private func noteMissing(_ memory: inout Memory) throws(SystemError) {
        if memory.revision > 0, memory.stamp == nil { return }
        // A disk that was removed must not be mistaken for a file that was.
        if memory.stamp != nil, try FileStamp(path: folder) == nil { throw .vanished }
        memory = Memory(revision: memory.revision + 1, given: memory.given)
    }
}
