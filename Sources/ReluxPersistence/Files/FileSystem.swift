import Foundation
import Relux

/// The system calls that the storages make. Tests replace them in order to make them fail.
///
/// Each throws ``StorageError/system(call:path:code:)``. A missing file isn't an error where the description of a
/// result says so.
protocol FileSystem: Sendable {
    /// Opens a file.
    ///
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``StorageError/damaged(_:_:)``, without a key, if it is a pipe, a device, a folder, or anything else
    ///   that isn't a file.
    func open(_ path: String, for access: FileAccess) throws -> Int32?
    /// Creates a file, and replaces what has this name. The permissions are those of another file; if there is none,
    /// only the owner may read it.
    func create(_ path: String, like other: String) throws -> Int32
    func close(_ file: Int32)
    func size(of file: Int32, at path: String) throws -> Int
    /// Distinguishes files, even if they have had the same path.
    func identity(of file: Int32, at path: String) throws -> FileIdentity
    /// The same for a path; nil if there is no such file.
    func identity(of path: String) throws -> FileIdentity?
    /// - Returns: The bytes; fewer than requested at the end of the file.
    func read(_ file: Int32, at offset: Int, count: Int, path: String) throws -> Data
    /// - Returns: How many bytes were written, which may be fewer than given.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int, path: String) throws -> Int
    func truncate(_ file: Int32, to size: Int, path: String) throws
    func synchronize(_ file: Int32, path: String) throws
    func rename(_ path: String, to other: String) throws
    /// Removes a file. Does nothing if there is none.
    func remove(_ path: String) throws
    /// The names in a folder; nil if there is no such folder.
    func names(in folder: String) throws -> [String]?
    /// Creates a folder that only its owner may read, and the folders around it.
    ///
    /// - Returns: The folders in which there is a new one.
    func makeFolder(_ path: String) throws -> [String]
    /// Makes the names in a folder as durable as the device allows.
    func synchronizeFolder(_ path: String) throws
    /// Waits until no other process, and nothing else in this one, holds the lock of a path.
    func lock(_ path: String) throws -> Int32
    func unlock(_ lock: Int32)
}

/// What a file is opened for.
enum FileAccess {
    case reading
    case changing
}

struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64
}

extension FileSystem {
    /// The largest size, in bytes, that is stored, or read at once.
    static var largest: Int { Int(Int32.max) }

    /// Executes something while holding the lock of a path, which excludes all others in this process and in other
    /// ones.
    func whileLocked<Result>(_ path: String, _ durability: Relux.Durability, _ body: () throws -> Result) throws
        -> Result
    {
        let parents = try makeFolder(folder(of: path))
        if durability.synchronizes { for parent in parents { try synchronizeFolder(parent) } }
        let lock = try lock(path)
        defer { unlock(lock) }
        return try body()
    }

    /// The contents of a file; nil if there is none.
    ///
    /// - Parameters:
    ///   - key: Whose data it has, for errors.
    ///   - check: Gets the beginning of the file and its size, and throws unless the rest should be read.
    func contents(
        of path: String, for key: String, _ check: (_ start: Data, _ size: Int) throws -> Void = { _, _ in }
    ) throws -> Data? {
        try naming(key) {
            guard let file = try open(path, for: .reading) else { return nil }
            defer { close(file) }
            let size = try size(of: file, at: path)
            try check(read(file, at: 0, count: min(size, 128), path: path), size)
            guard size <= Self.largest else { throw Relux.StorageError.damaged(key, "“\(path)” is too large") }
            return try read(file, at: 0, count: size, path: path)
        }
    }

    /// Names the key of damage that was found without it.
    func naming<Result>(_ key: String?, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch Relux.StorageError.damaged("", let reason) {
            throw Relux.StorageError.damaged(key ?? "", reason)
        }
    }

    /// Writes all bytes, in as many calls as it takes.
    func writeAll(_ data: Data, to file: Int32, at offset: Int, path: String) throws {
        // Unsafe bytes: used only inside the closure.
        try data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = try write(
                    UnsafeRawBufferPointer(rebasing: bytes[done...]), to: file, at: offset + done, path: path)
                done += count
            }
        }
    }

    /// Creates a file. After an error, there is none.
    ///
    /// - Parameter path: Where the file will be in the end. Its permissions are those of the file that is there.
    /// - Returns: Where it is now.
    func prepare(_ path: String, with data: Data, _ durability: Relux.Durability) throws -> String {
        let temporary = path + ".tmp"
        let file = try create(temporary, like: path)
        do {
            defer { close(file) }
            try writeAll(data, to: file, at: 0, path: temporary)
            if durability.synchronizes { try synchronize(file, path: temporary) }
        } catch {
            try? remove(temporary)
            throw error
        }
        return temporary
    }

    /// Replaces a file by another one with these contents, all or nothing.
    ///
    /// The new file is written in full before it takes over the name, so the old contents remain until then. Must be
    /// called while the path is locked.
    func replace(_ path: String, with data: Data, _ durability: Relux.Durability) throws {
        let temporary = try prepare(path, with: data, durability)
        do { try rename(temporary, to: path) } catch {
            try? remove(temporary)
            throw error
        }
        if durability.synchronizes { try synchronizeFolder(folder(of: path)) }
    }

    /// The first free name for a file that is set aside.
    func nameAside(for path: String) throws -> String {
        var number = 1
        while try identity(of: "\(path).aside-\(number)") != nil { number += 1 }
        return "\(path).aside-\(number)"
    }

    func folder(of path: String) -> String {
        guard let end = path.lastIndex(of: "/") else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}

extension Relux.StorageError {
    /// The error for data above the limit of a file.
    static func tooLarge(_ path: String) -> Relux.StorageError { .system(call: "write", path: path, code: EFBIG) }
}

extension URL {
    /// The path of a file, the same for all URLs of the file: without links, and without `.` and `..`.
    var uniquePath: String {
        let names = absoluteURL.pathComponents.filter { $0 != "/" }
        func path(_ names: some Sequence<String>) -> String { "/" + names.joined(separator: "/") }
        // What doesn't exist yet can't be resolved.
        let count =
            names.indices.reversed().first { FileManager.default.fileExists(atPath: path(names[...$0])) }
            .map { $0 + 1 } ?? 0
        let existing = URL(filePath: path(names.prefix(count))).resolvingSymlinksInPath()
        var resolved = existing.pathComponents.filter { $0 != "/" }
        for name in names.dropFirst(count) where name != "." {
            if name == ".." { _ = resolved.popLast() } else { resolved.append(name) }
        }
        return path(resolved)
    }
}
