import Foundation
import Synchronization

/// Reads and writes an items file, and remembers the version seen last.
///
/// Everything except ``perform(_:)`` must be called on ``queue``, one call at a time. The lock makes this safe in the
/// eyes of the compiler.
final class ItemsFileAccess: Sendable {
    /// The queue on which files are accessed.
    let queue = DispatchQueue(label: "relux.sample.items-file")

    private struct Memory {
        /// The version of the file that the document was read from, or nil for no file.
        var stamp: FileStamp?
        var document = ItemsDocument()
        /// The revision of the document, or 0 until the file has been read.
        var revision = 0
        /// Whether reading the file has been attempted, even if it was damaged.
        var isKnown = false
        /// The last failure reported by `readIfChangedElsewhere`, until the file can be read again.
        var toldFailure: ItemsServiceError?

        var snapshot: ItemsSnapshot { ItemsSnapshot(items: document.items, revision: revision) }
    }

    /// The size of the largest file that is read or written, in bytes: more than a million items.
    static let largestSize = 512 << 20

    private let file: String
    private let largestSize: Int
    private let atomicFile: AtomicFile
    private let memory = Lock(Memory())

    init(file: String, largestSize: Int = largestSize, system: FileSystem) {
        self.largestSize = largestSize
        self.file = file
        atomicFile = AtomicFile(path: file, system: system)
    }

    /// Runs work on the queue and waits for it without blocking a thread of the cooperative pool.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (ItemsFileAccess) throws(ItemsServiceError) -> Value
    ) async throws(ItemsServiceError) -> Value {
        try await queue.perform { () throws(ItemsServiceError) in try work(self) }
    }

    /// The contents of the file. A version that was already seen isn't read again.
    func read() throws(ItemsServiceError) -> ItemsSnapshot {
        try memory.withLock { (memory) throws(ItemsServiceError) in
            try refresh(&memory)
            return memory.snapshot
        }
    }

    /// The contents of the file, or nil if it is the version seen last. The first read doesn't count as a change.
    ///
    /// A failure is thrown only once, because one change of a folder causes several events.
    func readIfChangedElsewhere() throws(ItemsServiceError) -> ItemsSnapshot? {
        try memory.withLock { (memory) throws(ItemsServiceError) in
            let isFirstLook = !memory.isKnown
            do throws(ItemsServiceError) {
                let isChanged = try refresh(&memory)
                memory.toldFailure = nil
                return isChanged && !isFirstLook ? memory.snapshot : nil
            } catch {
                guard memory.toldFailure != error else { return nil }
                memory.toldFailure = error
                throw error
            }
        }
    }

    /// Merges changes into the contents of the file. The caller must hold the lock.
    func merge(_ changes: [ItemChange]) throws(ItemsServiceError) -> ItemsSnapshot {
        try memory.withLock { (memory) throws(ItemsServiceError) in
            try refresh(&memory)
            guard !changes.isEmpty else { return memory.snapshot }
            var document = memory.document
            document.apply(changes)
            let bytes = document.packed()
            do throws(SystemError) {
                // What can't be read again must not be written.
                if bytes.count > largestSize { throw .tooLarge }
                let permissions = memory.stamp?.permissions ?? 0o600
                memory.stamp = try atomicFile.replace(with: bytes, permissions: permissions)
            } catch {
                throw error.serviceError(.write, file: file)
            }
            memory.document = document
            memory.revision += 1
            return memory.snapshot
        }
    }

    /// Reads the file unless it is the version seen last.
    ///
    /// - Returns: Whether it was a different version.
    @discardableResult
    private func refresh(_ memory: inout Memory) throws(ItemsServiceError) -> Bool {
        memory.isKnown = true
        guard let version = try currentVersion(unless: memory.revision > 0 ? memory.stamp : nil) else {
            guard memory.revision == 0 || memory.stamp != nil else { return false }
            memory = Memory(revision: memory.revision + 1, isKnown: true)
            return true
        }
        guard case .other(let descriptor, let stamp) = version else { return false }
        let bytes: [UInt8]
        do {
            bytes = try descriptor.readToEnd(expecting: stamp.size, limit: largestSize)
        } catch {
            throw error.serviceError(.read, file: file)
        }
        memory.document = try ItemsDocument(parsing: bytes, file: file)
        memory.stamp = stamp
        memory.revision += 1
        return true
    }

    private enum Version {
        case seen
        case other(Descriptor, FileStamp)
    }

    /// The current version of the file, or nil if there is no file.
    private func currentVersion(unless seen: FileStamp?) throws(ItemsServiceError) -> Version? {
        do {
            guard let standing = try FileStamp(path: file) else { return nil }
            guard standing.isFile else { throw ItemsServiceError(.notAFile, file: file) }
            if standing == seen { return .seen }
            let descriptor = try FileSystem.openFile(file, O_RDONLY)
            return .other(descriptor, try FileStamp(of: descriptor))
        } catch let error as ItemsServiceError {
            throw error
        } catch {
            let error = error as? SystemError ?? SystemError(code: EIO)
            if error.code == ENOENT { return nil }
            throw error.serviceError(.read, file: file)
        }
    }
}
