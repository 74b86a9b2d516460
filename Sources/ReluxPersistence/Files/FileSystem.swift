import Foundation
import Relux

/// The calls of the system that the storages make.
///
/// Each throws ``StorageError/system(call:path:code:)``.
struct FileSystem: Sendable {
    /// The largest size, in bytes, that is stored, or read at once.
    static let largest = Int(Int32.max)

    /// The error for data above the limit of a file.
    static func tooLarge(_ path: String) -> Relux.StorageError { .system(call: "write", path: path, code: EFBIG) }

    /// Which failures written data survive: without a power failure, nothing is synchronised.
    let durability: Relux.Durability
    /// Called before each call of the system. Tests let it throw.
    var before: @Sendable (_ call: String, _ path: String) throws -> Void = { _, _ in }
    /// The most bytes that one call may write: Apple's systems refuse 2 GiB. Tests let them be fewer.
    var longestWrite: @Sendable (_ count: Int) -> Int = { min($0, 1 << 30) }

    /// Makes a call, and repeats it as long as signals interrupt it.
    @discardableResult
    fileprivate func call<Number: SignedInteger>(
        _ name: String, _ path: String, _ body: () -> Number
    ) throws -> Number {
        try before(name, path)
        while true {
            let number = body()
            guard number < 0 else { return number }
            let code = errno
            if code != EINTR { throw Relux.StorageError.system(call: name, path: path, code: code) }
        }
    }

    /// Nil if there is no such file.
    private func ifThere<Output>(_ body: () throws -> Output) throws -> Output? {
        do { return try body() } catch Relux.StorageError.system(_, _, ENOENT) { return nil }
    }

    // MARK: Files

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - flags: What it is opened for.
    ///   - key: Whose data it has, for errors.
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``StorageError/damaged(_:_:)`` if it is a pipe, a device, a folder, or anything else that isn't a
    ///   file.
    func file(at path: String, _ flags: Int32, for key: String) throws -> File? {
        do {
            // A pipe must not block the thread.
            guard let file = try ifThere({ try opened(path, flags | O_NONBLOCK) }) else { return nil }
            if try isFile(file.status()) { return file }
        } catch Relux.StorageError.system(_, _, let code) where code == EISDIR || code == ENXIO {}
        throw Relux.StorageError.damaged(key, "“\(path)” isn't a file")
    }

    private func opened(_ path: String, _ flags: Int32) throws -> File {
        File(path, try call("open", path) { open(path, flags | O_CLOEXEC, 0o600) }, self)
    }

    /// The status of the file that a path names; nil if there is none.
    fileprivate func status(of path: String) throws -> stat? {
        var status = stat()
        return try ifThere { try call("stat", path) { lstat(path, &status) } }.map { _ in status }
    }

    func exists(_ path: String) throws -> Bool { try status(of: path) != nil }

    func move(_ path: String, to other: String) throws { try call("rename", path) { rename(path, other) } }

    /// Removes a file. Does nothing if there is none.
    func remove(_ path: String) throws { _ = try ifThere { try call("unlink", path) { unlink(path) } } }

    /// Creates a file under a temporary name. After an error, there is none.
    ///
    /// - Parameters:
    ///   - path: Where the file will be in the end.
    ///   - other: Whose permissions it gets. If there is no such file, only the owner may read it.
    ///   - write: Writes the contents.
    /// - Returns: The temporary name.
    func prepare(_ path: String, like other: String, _ write: (File) throws -> Void) throws -> String {
        let temporary = path + ".tmp"
        // Nobody can have prepared it, even as a link to another file.
        try remove(temporary)
        do {
            let file = try opened(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
            if let status = try status(of: other), isFile(status) { try file.setMode(status.st_mode & 0o777) }
            try write(file)
            try file.synchronize()
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
    func replace(_ path: String, like other: String, _ write: (File) throws -> Void) throws {
        let temporary = try prepare(path, like: other, write)
        do { try move(temporary, to: path) } catch {
            try? remove(temporary)
            throw error
        }
        try synchronizeFolder(folder(of: path))
    }

    /// Gives a file that is set aside the first free name.
    func setAside(_ path: String) throws {
        try move(path, to: nameAside(for: path))
        try synchronizeFolder(folder(of: path))
    }

    /// The first free name for a file that is set aside.
    func nameAside(for path: String) throws -> String {
        var number = 1
        while try exists("\(path).aside-\(number)") { number += 1 }
        return "\(path).aside-\(number)"
    }

    // MARK: Folders

    func folder(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    /// The names in a folder; none if there is no such folder.
    func names(in folder: String) throws -> [String] {
        // Asked first, because Foundation doesn't say everywhere why it fails.
        guard try exists(folder) else { return [] }
        try before("readdir", folder)
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let code = cause.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil } ?? EIO
            throw Relux.StorageError.system(call: "readdir", path: folder, code: code)
        }
    }

    /// Creates a folder that only its owner may read, and the folders around it.
    private func makeFolder(_ path: String) throws {
        if try !exists(folder(of: path)) { try makeFolder(folder(of: path)) }
        do { try call("mkdir", path) { mkdir(path, 0o700) } } catch Relux.StorageError.system(_, _, EEXIST) { return }
        try synchronizeFolder(folder(of: path))
    }

    /// Makes the names in a folder as durable as the device allows.
    func synchronizeFolder(_ path: String) throws {
        if durability.synchronizes { try opened(path, O_RDONLY).synchronize() }
    }

    /// Executes something while holding the lock of a path, which excludes all others in this process and in other
    /// ones.
    func whileLocked<Output>(_ path: String, _ body: () throws -> Output) throws -> Output {
        try makeFolder(folder(of: path))
        let lock = try opened(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        try lock.lock()
        // Others may have removed the file meanwhile, and lock a new one. Closing a file gives up its lock.
        return try lock.hasItsPath ? withExtendedLifetime(lock, body) : whileLocked(path, body)
    }
}

/// An open file. It is closed when nobody has it any more.
final class File: Sendable {
    let path: String
    private let descriptor: Int32
    private let system: FileSystem

    fileprivate init(_ path: String, _ descriptor: Int32, _ system: FileSystem) {
        (self.path, self.descriptor, self.system) = (path, descriptor, system)
    }

    deinit { close(descriptor) }

    fileprivate func status() throws -> stat {
        var status = stat()
        try system.call("fstat", path) { fstat(descriptor, &status) }
        return status
    }

    var size: Int { get throws { Int(try status().st_size) } }

    /// Whether its path still names this file.
    var hasItsPath: Bool {
        get throws {
            let (own, present) = (try status(), try system.status(of: path))
            return own.st_dev == present?.st_dev && own.st_ino == present?.st_ino
        }
    }

    /// - Returns: The bytes; fewer than requested at the end of the file.
    func read(at offset: Int, count: Int) throws -> Data {
        var data = Data(count: count)
        var done = 0
        while done < count {
            // Unsafe bytes: used only inside the closure.
            let step = try data.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
                return try system.call("pread", path) {
                    pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
                }
            }
            if step == 0 { return data.prefix(done) }
            done += step
        }
        return data
    }

    /// Writes all bytes, in as many calls as it takes.
    func write(_ data: Data, at offset: Int = 0) throws {
        // Unsafe bytes: used only inside the closure.
        try data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                done += try system.call("pwrite", path) {
                    pwrite(descriptor, rest.baseAddress, system.longestWrite(rest.count), off_t(offset + done))
                }
            }
        }
    }

    func truncate(to size: Int) throws { try system.call("ftruncate", path) { ftruncate(descriptor, off_t(size)) } }

    fileprivate func setMode(_ mode: mode_t) throws { try system.call("fchmod", path) { fchmod(descriptor, mode) } }

    fileprivate func lock() throws { try system.call("flock", path) { flock(descriptor, LOCK_EX) } }

    func synchronize() throws {
        guard system.durability.synchronizes else { return }
        #if canImport(Darwin)
            // Only this flushes the cache of the device. Some file systems don't support it.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try system.call("fsync", path) { fsync(descriptor) }
    }
}

private func isFile(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

extension URL {
    /// The path of a file, the same for all URLs of the file: absolute, without links, and without `.` and `..`.
    var uniquePath: String {
        let path = absoluteURL.path(percentEncoded: false)
        return Self.unique(path.hasPrefix("/") ? path : "/" + path)
    }

    private static func unique(_ path: String, links: Int = 0) -> String {
        // Foundation looks relative links up in the current folder on Linux.
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        if path.count <= 1 { return path }
        // A path that doesn't exist yet can't be resolved.
        let parent = (path as NSString).deletingLastPathComponent
        // It may be a link to one that doesn't exist. Those that lead to each other stay as they are.
        if links < 40, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            return unique(
                target.hasPrefix("/") ? target : (parent as NSString).appendingPathComponent(target), links: links + 1)
        }
        let folder = unique(parent, links: links)
        return switch (path as NSString).lastPathComponent {
        case ".": folder
        case "..": (folder as NSString).deletingLastPathComponent
        case let name: (folder as NSString).appendingPathComponent(name)
        }
    }
}
