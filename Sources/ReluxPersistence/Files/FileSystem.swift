import Foundation

/// The calls of the system that the storages make. Tests replace them to let them fail.
///
/// Each throws ``StorageError/system(call:path:code:)``. A missing file is no error where a result says so.
protocol FileSystem: Sendable {
    /// Opens a file for reading and writing.
    ///
    /// - Parameter creates: Whether an existing file is emptied, and a missing one created.
    /// - Returns: Nil if there is no such file.
    func open(_ path: String, creates: Bool) throws -> Int32?
    func close(_ file: Int32)
    func size(of file: Int32, at path: String) throws -> Int
    /// Tells one file from another, even if both have had the same path.
    func identity(of file: Int32, at path: String) throws -> FileIdentity
    /// The same for a path; nil if there is no such file.
    func identity(of path: String) throws -> FileIdentity?
    /// - Returns: Fewer bytes than demanded at the end of the file.
    func read(_ file: Int32, at offset: Int, count: Int, path: String) throws -> Data
    /// - Returns: How many bytes were written, which may be fewer than given.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int, path: String) throws -> Int
    func truncate(_ file: Int32, to size: Int, path: String) throws
    func synchronize(_ file: Int32, path: String) throws
    func rename(_ path: String, to other: String) throws
    /// Removes a file. It is fine if there is none.
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

struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64
}

extension FileSystem {
    /// Executes something while nobody else, in this process or another one, does so with the same path.
    func whileLocked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let lock = try lock(path)
        defer { unlock(lock) }
        return try body()
    }

    /// The contents of a file; nil if there is none.
    func contents(of path: String) throws -> Data? {
        guard let file = try open(path, creates: false) else { return nil }
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
    /// The other one is written in full before it takes the name, so that the old contents are there until then. Must
    /// be called while the path is locked.
    func replace(_ path: String, with data: Data, _ durability: Durability) throws {
        let temporary = path + ".tmp"
        do {
            guard let file = try open(temporary, creates: true) else { return }
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
