import Foundation

/// Reads and writes one file, and remembers the version seen last. All services that store a file are made of it.
///
/// A new version replaces the old one atomically, so that a crash leaves one of them. Writers hold a lock on a file
/// next to it from before they read until after they have written. A file that can't be read isn't written to, and what
/// would be too large to be read again isn't written.
///
/// The synchronous methods must be called on the queue, one call at a time. The lock makes this safe in the eyes of the
/// compiler.
final class StoredFile<Document: StoredDocument>: Sendable {
    /// The contents of the file.
    struct Version: Sendable {
        /// The document, or nil if there is no file.
        var document: Document?
        /// The relative age of the version. A later version has a greater number.
        var revision: Int
    }

    /// What an update does with the contents of the file.
    enum Replacement {
        case keep
        case write(Document)
        case remove
    }

    private struct Memory {
        /// The version of the file that the document was read from, or nil for no file.
        var stamp: FileStamp?
        var document: Document?
        /// The text of the document, which may have members that this program doesn't know.
        var text: JSONObjectText?
        /// The revision of the document, or 0 until the file has been read.
        var revision = 0
        /// Whether reading the file has been attempted, even if it was damaged.
        var isKnown = false
        /// The last failure reported by `readIfChangedElsewhere`, until the file can be read again.
        var toldFailure: StorageError?
        /// The revision that a read or an update returned last, or nil before the first one.
        var given: Int?

        var version: Version { Version(document: document, revision: revision) }
    }

    /// The path of the file.
    let path: String

    /// The path of the folder that contains the file.
    let folder: String

    /// The queue on which files are accessed.
    let queue: DispatchQueue

    private let largestSize: Int
    private let lockFile: String
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let system: FileSystem
    private let memory = Lock(Memory())

    /// - Parameters:
    ///   - path: The path of the file, as ``FileSystem/path(of:in:)`` resolves it.
    ///   - lock: The name of the lock file in the same folder. Files that share it have one writer at a time.
    init(
        path: String,
        lock: String,
        largestSize: Int = Document.largestSize,
        lockLimit: Duration,
        clock: any Clock<Duration>,
        system: FileSystem
    ) {
        self.path = path
        folder = (path as NSString).deletingLastPathComponent
        lockFile = "\(folder)/\(lock)"
        queue = DispatchQueue(label: "relux.sample.\((path as NSString).lastPathComponent)")
        self.largestSize = largestSize
        self.lockLimit = lockLimit
        self.clock = clock
        self.system = system
    }

    /// Runs work on the queue and waits for it without blocking a thread of the cooperative pool.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (StoredFile) throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        try await queue.perform { () throws(StorageError) in try work(self) }
    }

    /// Renames a file that can't be read, under the lock, so that no other process begins a new one in between.
    ///
    /// - Returns: The new path, or nil if the file can be read or doesn't exist.
    func setAside(as name: @escaping @Sendable (Int) -> String) async throws(StorageError) -> String? {
        try await performLocked { (file) throws(StorageError) in try file.renameIfUnreadable(name) }
    }

    private func renameIfUnreadable(_ name: (Int) -> String) throws(StorageError) -> String? {
        do {
            _ = try look()
            return nil
        } catch {
            var number = 1
            while FileManager.default.fileExists(atPath: "\(folder)/\(name(number))") { number += 1 }
            let aside = "\(folder)/\(name(number))"
            do {
                try system.replace(path, aside)
            } catch {
                throw StorageError(error, .write, file: path)
            }
            return aside
        }
    }

    /// Changes the contents of the file, under the lock, which excludes all other writers.
    func update(
        _ change: @escaping @Sendable (Document?) -> Replacement
    ) async throws(StorageError) -> Version {
        try await performLocked { (file) throws(StorageError) in try file.replace(change) }
    }

    /// Runs work under the lock. A missing folder is created for it.
    private func performLocked<Value: Sendable>(
        _ work: @escaping @Sendable (StoredFile) throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        try await perform { (file) throws(StorageError) in try file.makeFolder() }
        let lock = try await FileLock.acquired(path: lockFile, within: lockLimit, on: clock)
        return try await perform { (file) throws(StorageError) in
            try withExtendedLifetime(lock) { () throws(StorageError) in try work(file) }
        }
    }

    /// Creates the folder that contains the file.
    func makeFolder() throws(StorageError) {
        try FileSystem.makeDataFolder(folder)
    }

    /// The contents of the file. A version that was already seen isn't read again.
    func read() throws(StorageError) -> Version {
        try memory.withLock { (memory) throws(StorageError) in
            do throws(StorageError) {
                try refresh(&memory)
            } catch {
                // A failed read has returned nothing, so a version that can be read later must be reported as a change.
                memory.given = memory.given ?? 0
                throw error
            }
            memory.given = memory.revision
            return memory.version
        }
    }

    /// The contents of the file, and the revision that a read or an update returned last. Unlike `read()`, this doesn't
    /// count as a read.
    func look() throws(StorageError) -> (version: Version, given: Int?) {
        try memory.withLock { (memory) throws(StorageError) in
            try refresh(&memory)
            return (memory.version, memory.given)
        }
    }

    /// The contents of the file, or nil if it is the version seen last. The first read doesn't count as a change.
    ///
    /// A failure is thrown only once, because one change of a folder causes several events.
    func readIfChangedElsewhere() throws(StorageError) -> Version? {
        try memory.withLock { (memory) throws(StorageError) in
            let isFirstLook = !memory.isKnown
            do throws(StorageError) {
                let isChanged = try refresh(&memory)
                memory.toldFailure = nil
                return isChanged && !isFirstLook ? memory.version : nil
            } catch {
                guard memory.toldFailure != error else { return nil }
                memory.toldFailure = error
                throw error
            }
        }
    }

    /// Changes the contents of the file for a caller that holds the lock. If this fails, nothing has been returned:
    /// earlier changes made elsewhere must still be reported.
    func replace(_ change: (Document?) -> Replacement) throws(StorageError) -> Version {
        try memory.withLock { (memory) throws(StorageError) in
            try refresh(&memory)
            switch change(memory.document) {
            case .keep: break
            case .write(let document):
                try write(document, &memory)
                memory.revision += 1
            case .remove:
                try remove()
                (memory.stamp, memory.document, memory.text) = (nil, nil, nil)
                memory.revision += 1
            }
            memory.given = memory.revision
            return memory.version
        }
    }

    private func write(_ document: Document, _ memory: inout Memory) throws(StorageError) {
        let bytes = try document.bytes(file: path, replacing: memory.text, memory.document)
        do throws(SystemError) {
            // What can't be read again must not be written.
            if bytes.count > largestSize { throw .tooLarge }
            memory.stamp = try AtomicFile(path: path, system: system)
                .replace(with: bytes, permissions: memory.stamp?.permissions ?? 0o600)
        } catch {
            throw StorageError(error, .write, file: path)
        }
        memory.document = document.sharing(bytes)
        memory.text = Document.text(of: bytes)
    }

    /// Removing needs no disk space, so a full disk never prevents signing out.
    private func remove() throws(StorageError) {
        do throws(SystemError) {
            if unlink(path) != 0, errno != ENOENT { throw .last }
            try system.synchronize(FileSystem.openFile(folder, O_RDONLY))
        } catch {
            throw StorageError(error, .write, file: path)
        }
    }

    /// Reads the file unless it is the version seen last.
    ///
    /// - Returns: Whether it was a different version.
    @discardableResult
    private func refresh(_ memory: inout Memory) throws(StorageError) -> Bool {
        memory.isKnown = true
        let standing: Standing
        do {
            standing = try self.standing(unless: memory.revision > 0 ? memory.stamp : nil)
        } catch {
            throw StorageError(error, .read, file: path)
        }
        switch standing {
        case .seen: return false
        case .missing:
            guard memory.revision == 0 || memory.stamp != nil else { return false }
            memory = Memory(revision: memory.revision + 1, isKnown: true, given: memory.given)
            return true
        case .foreign: throw StorageError(.notAFile, file: path)
        case .other(let bytes, let stamp):
            memory.document = try Document(parsing: bytes, file: path)
            memory.text = Document.text(of: bytes)
            memory.stamp = stamp
            memory.revision += 1
            return true
        }
    }

    private enum Standing {
        case missing, seen, foreign
        case other([UInt8], FileStamp)
    }

    /// What is at the path now.
    private func standing(unless seen: FileStamp?) throws(SystemError) -> Standing {
        guard let standing = try FileStamp(path: path) else { return .missing }
        guard standing.isFile else { return .foreign }
        if standing == seen { return .seen }
        let descriptor: Descriptor
        do {
            descriptor = try FileSystem.openFile(path, O_RDONLY)
        } catch {
            // The file was removed a moment ago.
            if error.code == ENOENT { return .missing }
            throw error
        }
        let stamp = try FileStamp(of: descriptor)
        return .other(try descriptor.readToEnd(expecting: stamp.size, limit: largestSize), stamp)
    }
}
