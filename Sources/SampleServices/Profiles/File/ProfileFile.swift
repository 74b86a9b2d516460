import Foundation
import Synchronization

/// Reads and writes one small file, and remembers the version that it saw last.
///
/// A new version replaces the old one as a whole, so that a crash leaves one of them. Writers hold a lock, on a file
/// beside it, from before they read until after they have written. A file that can't be read isn't written to.
///
/// What isn't asynchronous is called on the queue, one call at a time; the mutex says so to the compiler.
final class ProfileFile<Document: ProfileDocument>: Sendable {
    /// What the file holds.
    struct Version: Sendable, Equatable {
        /// nil where there is no file.
        var document: Document?
        /// A later version has a greater number.
        var revision: Int
    }

    private struct Memory {
        /// The version of the file that the document came from; nil for no file.
        var stamp: FileStamp?
        var document: Document?
        /// 0 until the file has been read.
        var revision = 0
        /// Whether somebody has looked at the file, though it may have been damaged.
        var isKnown = false
        /// What was told of a damaged file, and holds until it can be read again.
        var toldFailure: ProfileServiceError?
        /// The revision that a read or an update has returned last; nil before the first.
        var given: Int?

        var version: Version { Version(document: document, revision: revision) }
    }

    /// The path of the file.
    let path: String

    /// The path of the folder that it is in.
    let folder: String

    /// Where files are touched.
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
        // A link is followed once and for all: a rename would put a file in its place, and two processes that come by
        // different ways have to meet at the same lock.
        path = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "\(name).json")
            .resolvingSymlinksInPath().path(percentEncoded: false)
        self.folder = (path as NSString).deletingLastPathComponent
        lockFile = "\(self.folder)/\(name).lock"
        queue = DispatchQueue(label: "relux.sample.\(name)-file")
        self.lockLimit = lockLimit
        self.clock = clock
        self.system = system
    }

    /// Does work on the queue, and waits for it without occupying a thread of the cooperative pool.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (ProfileFile) throws(ProfileServiceError) -> Value
    ) async throws(ProfileServiceError) -> Value {
        try await queue.perform { () throws(ProfileServiceError) in try work(self) }
    }

    /// Makes something else of what the file holds, under the lock; nil removes it.
    func update(
        _ change: @escaping @Sendable (Document?) -> Document?
    ) async throws(ProfileServiceError) -> Version {
        try await update(under: try await locked(), change)
    }

    /// Shuts everybody else out who would change the file, for as long as the value lasts.
    func locked() async throws(ProfileServiceError) -> FileLock {
        try await perform { (file) throws(ProfileServiceError) in try file.makeFolder() }
        do throws(FileLock.Failure) {
            return try await FileLock.taken(path: lockFile, within: lockLimit, on: clock)
        } catch {
            throw ProfileServiceError(lock: error, file: lockFile)
        }
    }

    /// Makes something else of what the file holds, for somebody who has the lock; nil removes it.
    func update(
        under lock: FileLock,
        _ change: @escaping @Sendable (Document?) -> Document?
    ) async throws(ProfileServiceError) -> Version {
        try await perform { (file) throws(ProfileServiceError) in
            try withExtendedLifetime(lock) { () throws(ProfileServiceError) in try file.replace(change) }
        }
    }

    /// Makes the folder that it is in.
    func makeFolder() throws(ProfileServiceError) {
        do throws(SystemError) {
            try FileSystem.makeFolder(folder)
        } catch {
            throw ProfileServiceError(error, .folder, file: folder)
        }
    }

    /// What the file holds. A version that has been seen already isn't read again.
    func read() throws(ProfileServiceError) -> Version {
        try memory.withLock { (memory) throws(ProfileServiceError) in
            do throws(ProfileServiceError) {
                try refresh(&memory)
            } catch {
                // Who has asked in vain has seen nothing yet, and is to hear of what can be read later.
                memory.given = memory.given ?? 0
                throw error
            }
            memory.given = memory.revision
            return memory.version
        }
    }

    /// What the file holds, beside the revision that a read or an update has returned last. It doesn't count as one.
    func look() throws(ProfileServiceError) -> (version: Version, given: Int?) {
        try memory.withLock { (memory) throws(ProfileServiceError) in
            try refresh(&memory)
            return (memory.version, memory.given)
        }
    }

    /// What the file holds, or nil where it is what was seen last. The first look at the file isn't a change.
    ///
    /// A failure is thrown once: one change of a folder comes as several events.
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

    /// Where it fails nothing has been returned: what others had written before is news still.
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
            let bytes = try document.bytes(file: path)
            do throws(SystemError) {
                memory.stamp = try AtomicFile(path: path, system: system)
                    .replace(with: bytes, permissions: memory.stamp?.permissions ?? 0o600)
            } catch {
                throw ProfileServiceError(error, .write, file: path)
            }
        } else {
            try remove()
            memory.stamp = nil
        }
        memory.document = document
        memory.revision += 1
    }

    /// Needs no room on the disk, so that one that is full keeps nobody from leaving.
    private func remove() throws(ProfileServiceError) {
        do throws(SystemError) {
            if unlink(path) != 0, errno != ENOENT { throw .last }
            try system.synchronize(FileSystem.openFile(folder, O_RDONLY))
        } catch {
            throw ProfileServiceError(error, .write, file: path)
        }
    }

    /// Reads the file if it isn't the version seen last.
    ///
    /// - Returns: Whether it was another one.
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
            let bytes = try descriptor.readToEnd(expecting: stamp.size)
            memory.document = try Document(parsing: bytes, file: path)
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
