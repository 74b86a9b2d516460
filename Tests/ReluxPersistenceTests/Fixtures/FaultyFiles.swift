import Foundation
import Relux

@testable import ReluxPersistence

/// The files of the system, some of whose calls fail.
final class FaultyFiles: FileSystem {
    struct Faults {
        /// How many bytes can still be written. The write that needs more writes as many as it can.
        var bytesLeft: Int?
        /// The most bytes that one call writes.
        var longestWrite = Int.max
        /// The calls that fail.
        var failing: Set<String> = []
        /// How many calls that change something still work, before the process is killed.
        var callsLeft = Int.max
        /// Whether nothing works any more after the first failure, as when the process is killed.
        var isKilledByFailure = false
        var isKilled = false
    }

    private let system = SystemFiles()
    let faults: Lock<Faults>

    init(_ faults: Faults = Faults()) {
        self.faults = Lock(faults)
    }

    func set(_ change: (inout Faults) -> Void) { faults.withLock { change(&$0) } }

    private func check(_ call: String, _ path: String) throws {
        let isFailing = faults.withLock { faults in
            if !["stat", "pread", "readdir"].contains(call) {
                if faults.callsLeft == 0 { faults.isKilled = true }
                faults.callsLeft -= 1
            }
            guard !faults.isKilled, faults.failing.contains(call) else { return faults.isKilled }
            faults.isKilled = faults.isKilledByFailure
            return true
        }
        if isFailing { throw Relux.StorageError.system(call: call, path: path, code: EACCES) }
    }

    func open(_ path: String, for access: FileAccess) throws -> Int32? {
        try check("open", path)
        if access != .reading { try check("open for writing", path) }
        return try system.open(path, for: access)
    }

    func create(_ path: String, like other: String) throws -> Int32 {
        try check("open", path)
        try check("open for writing", path)
        return try system.create(path, like: other)
    }

    func close(_ file: Int32) { system.close(file) }

    func size(of file: Int32, at path: String) throws -> Int { try system.size(of: file, at: path) }

    func identity(of file: Int32, at path: String) throws -> FileIdentity { try system.identity(of: file, at: path) }

    func identity(of path: String) throws -> FileIdentity? {
        try check("stat", path)
        return try system.identity(of: path)
    }

    func read(_ file: Int32, at offset: Int, count: Int, path: String) throws -> Data {
        try check("pread", path)
        return try system.read(file, at: offset, count: count, path: path)
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int, path: String) throws -> Int {
        try check("pwrite", path)
        let count: Int = faults.withLock { faults in
            let count = min(bytes.count, faults.longestWrite, faults.bytesLeft ?? .max)
            if let left = faults.bytesLeft { faults.bytesLeft = left - count }
            if count == 0, !bytes.isEmpty, faults.isKilledByFailure { faults.isKilled = true }
            return count
        }
        guard count > 0 || bytes.isEmpty else {
            throw Relux.StorageError.system(call: "pwrite", path: path, code: ENOSPC)
        }
        return try system.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), to: file, at: offset, path: path)
    }

    func truncate(_ file: Int32, to size: Int, path: String) throws {
        try check("ftruncate", path)
        try system.truncate(file, to: size, path: path)
    }

    func synchronize(_ file: Int32, path: String) throws {
        try check("fsync", path)
        try system.synchronize(file, path: path)
    }

    func rename(_ path: String, to other: String) throws {
        try check("rename", path)
        try system.rename(path, to: other)
    }

    func remove(_ path: String) throws {
        try check("unlink", path)
        try system.remove(path)
    }

    func names(in folder: String) throws -> [String]? {
        try check("readdir", folder)
        return try system.names(in: folder)
    }

    func makeFolder(_ path: String) throws -> [String] {
        try check("mkdir", path)
        return try system.makeFolder(path)
    }

    func synchronizeFolder(_ path: String) throws {
        try check("fsync", path)
        try system.synchronizeFolder(path)
    }

    func lock(_ path: String) throws -> Int32 {
        try check("flock", path)
        return try system.lock(path)
    }

    func unlock(_ lock: Int32) { system.unlock(lock) }
}

/// A folder that exists as long as this does.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "relux-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the files in it, without locks.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []).filter { !$0.hasSuffix(".lock") }
            .sorted()
    }
}

extension Data {
    init(_ text: String) { self = Data(text.utf8) }
}
