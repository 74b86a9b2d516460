import Foundation
import Synchronization

/// Reads and writes one small file, and remembers the version seen last.
///
/// A new version replaces the old one atomically, so that a crash leaves one of them. Writers hold a lock on a file
/// next to it from before they read until after they have written. A file that can't be read isn't written to. Members
/// of the file that this program doesn't know are kept.
///
/// The synchronous methods must be called on the queue, one call at a time. The lock makes this safe in the eyes of the
/// compiler.
final class ProfileFile<Document: ProfileDocument>: Sendable {
    /// The contents of the file.
    struct Version: Sendable, Equatable {
        /// The document, or nil if there is no file.
        var document: Document?
        /// The relative age of the version. A later version has a greater number.
        var revision: Int
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
        var toldFailure: ProfileServiceError?
        /// The revision that a read or an update returned last, or nil before the first one.
        var given: Int?

        var version: Version { Version(document: document, revision: revision) }
    }

    /// The size of the largest file that is read, in bytes.
    private static var largestSize: Int { 1 << 20 }

    /// The path of the file.
    let path: String

    /// The path of the folder that contains the file.
    let folder: String

    /// The queue on which files are accessed.
    let queue: DispatchQueue

    private let lockFile: String
    private let lockLimit: Duration
    private let clock: any Clock<Duration>
    private let system: FileSystem
    private let memory = Lock(Memory())

    init(
        folder: String,
        name: String,
        lockLimit: Duration,
        clock: any Clock<Duration>,
        system: FileSystem
    ) {
        // A symbolic link is resolved once and for all. Otherwise a rename would replace the link with a file, and two
        // processes that use different paths wouldn't share a lock.
        path = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "\(name).json")
            .resolvingSymlinksInPath().path(percentEncoded: false)
        self.folder = (path as NSString).deletingLastPathComponent
        lockFile = "\(self.folder)/\(name).lock"
        queue = DispatchQueue(label: "relux.sample.\(name)-file")
        self.lockLimit = lockLimit
        self.clock = clock
        self.system = system
    }

    /// Runs work on the queue and waits for it without blocking a thread of the cooperative pool.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (ProfileFile) throws(ProfileServiceError) -> Value
    ) async throws(ProfileServiceError) -> Value {
        try await queue.perform { () throws(ProfileServiceError) in try work(self) }
    }

    /// Transforms the contents of the file, under the lock. A nil result removes the file.
    func update(
        _ change: @escaping @Sendable (Document?) -> Document?
    ) async throws(ProfileServiceError) -> Version {
        try await update(under: try await locked(), change)
    }

    /// Acquires the lock, which excludes all other writers for as long as the value exists.
    func locked() async throws(ProfileServiceError) -> FileLock {
        try await perform { (file) throws(ProfileServiceError) in try file.makeFolder() }
        do throws(FileLock.Failure) {
            return try await FileLock.taken(path: lockFile, within: lockLimit, on: clock)
        } catch {
            throw ProfileServiceError(lock: error, file: lockFile)
        }
    }

    /// Transforms the contents of the file for a caller that holds the lock. A nil result removes the file.
    func update(
        under lock: FileLock,
        _ change: @escaping @Sendable (Document?) -> Document?
    ) async throws(ProfileServiceError) -> Version {
        try await perform { (file) throws(ProfileServiceError) in
            try withExtendedLifetime(lock) { () throws(ProfileServiceError) in try file.replace(change) }
        }
    }

    /// Creates the folder that contains the file.
    func makeFolder() throws(ProfileServiceError) {
        do throws(SystemError) {
            try FileSystem.makeFolder(folder)
        } catch {
            throw ProfileServiceError(error, .folder, file: folder)
        }
    }

    /// The contents of the file. A version that was already seen isn't read again.
    func read() throws(ProfileServiceError) -> Version {
        try memory.withLock { (memory) throws(ProfileServiceError) in
            do throws(ProfileServiceError) {
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
    func look() throws(ProfileServiceError) -> (version: Version, given: Int?) {
        try memory.withLock { (memory) throws(ProfileServiceError) in
            try refresh(&memory)
            return (memory.version, memory.given)
        }
    }

    /// The contents of the file, or nil if it is the version seen last. The first read doesn't count as a change.
    ///
    /// A failure is thrown only once, because one change of a folder causes several events.
    func readIfChangedElsewhere() throws(ProfileServiceError) -> Version? {
        try memory.withLock { (memory) throws(ProfileServiceError) in
            let isFirstLook = !memory.isKnown
            do throws(ProfileServiceError) {
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

    /// If this fails, nothing has been returned: earlier changes made elsewhere must still be reported.
    private func replace(_ change: (Document?) -> Document?) throws(ProfileServiceError) -> Version {
        try memory.withLock { (memory) throws(ProfileServiceError) in
            try refresh(&memory)
            let document = change(memory.document)
            if document != memory.document { try write(document, &memory) }
            memory.given = memory.revision
            return memory.version
        }
    }

    private func write(_ document: Document?, _ memory: inout Memory) throws(ProfileServiceError) {
        if let document {
            let bytes = try document.bytes(keepingOthersOf: memory.text, memory.document, file: path)
            do throws(SystemError) {
                memory.stamp = try AtomicFile(path: path, system: system)
                    .replace(with: bytes, permissions: memory.stamp?.permissions ?? 0o600)
            } catch {
                throw ProfileServiceError(error, .write, file: path)
            }
            memory.text = JSONObjectText(bytes[...])
        } else {
            try remove()
            (memory.stamp, memory.text) = (nil, nil)
        }
        memory.document = document
        memory.revision += 1
    }

    /// Removing needs no disk space, so a full disk never prevents signing out.
    private func remove() throws(ProfileServiceError) {
        do throws(SystemError) {
            if unlink(path) != 0, errno != ENOENT { throw .last }
            try system.synchronize(FileSystem.openFile(folder, O_RDONLY))
        } catch {
            throw ProfileServiceError(error, .write, file: path)
        }
    }

    /// Reads the file unless it is the version seen last.
    ///
    /// - Returns: Whether it was a different version.
    @discardableResult
    private func refresh(_ memory: inout Memory) throws(ProfileServiceError) -> Bool {
        memory.isKnown = true
        do {
            guard let standing = try FileStamp(path: path) else {
                guard memory.revision == 0 || memory.stamp != nil else { return false }
                memory = Memory(revision: memory.revision + 1, isKnown: true, given: memory.given)
                return true
            }
            guard standing.isFile else { throw ProfileServiceError(.notAFile, file: path) }
            if memory.revision > 0, standing == memory.stamp { return false }
            let descriptor = try FileSystem.openFile(path, O_RDONLY)
            let stamp = try FileStamp(of: descriptor)
            let bytes = try descriptor.readToEnd(expecting: stamp.size, limit: Self.largestSize)
            memory.document = try Document(parsing: bytes, file: path)
            memory.text = JSONObjectText(bytes[...])
            memory.stamp = stamp
            memory.revision += 1
            return true
        } catch let error as ProfileServiceError {
            throw error
        } catch {
            throw ProfileServiceError(error as? SystemError ?? SystemError(code: EIO), .read, file: path)
        }
    }
}
