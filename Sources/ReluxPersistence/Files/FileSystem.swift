import Foundation

/// The system calls that the storages make. Tests replace them in order to make them fail.
///
/// Each throws ``StorageError/system(call:path:code:)``. A missing file isn't an error where the description of a
/// result says so.
protocol FileSystem: Sendable {
    /// Opens a file.
    ///
    /// - Returns: Nil if there is no such file.
    func open(_ path: String, for access: FileAccess) throws -> Int32?
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
    func makeFolder(_ path: String) throws
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
    /// An existing file is emptied, and a missing one created.
    case replacing
}

struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64
}

extension FileSystem {
    /// Executes something while holding the lock of a path, which excludes all others in this process and in other
    /// ones.
    func whileLocked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let lock = try lock(path)
        defer { unlock(lock) }
        return try body()
    }

    /// The contents of a file; nil if there is none.
    func contents(of path: String) throws -> Data? {
        guard let file = try open(path, for: .reading) else { return nil }
        defer { close(file) }
        return try read(file, at: 0, count: size(of: file, at: path), path: path)
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

    /// Replaces a file by another one with these contents, all or nothing.
    ///
    /// The new file is written in full before it takes over the name, so the old contents remain until then. Must be
    /// called while the path is locked.
    func replace(_ path: String, with data: Data, _ durability: Durability) throws {
        let temporary = path + ".tmp"
        do {
            guard let file = try open(temporary, for: .replacing) else { return }
            do {
                defer { close(file) }
                try writeAll(data, to: file, at: 0, path: temporary)
                if durability.synchronizes { try synchronize(file, path: temporary) }
            }
            try rename(temporary, to: path)
        } catch {
            try? remove(temporary)
            throw error
        }
        if durability.synchronizes { try synchronizeFolder(folder(of: path)) }
    }

    /// Gives a file a free name that ends with a number.
    func setAside(_ path: String, _ durability: Durability) throws {
        var number = 1
        while try identity(of: "\(path).aside-\(number)") != nil { number += 1 }
        try rename(path, to: "\(path).aside-\(number)")
        if durability.synchronizes { try synchronizeFolder(folder(of: path)) }
    }

    func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
}
