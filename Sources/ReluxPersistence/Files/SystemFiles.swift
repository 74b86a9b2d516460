import Foundation
import Relux

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// The files of the system.
struct SystemFiles: FileSystem {
    func open(_ path: String, for access: FileAccess) throws -> Int32? {
        // A pipe must not block the thread.
        let flags = (access == .reading ? O_RDONLY : O_RDWR) | O_NONBLOCK | O_CLOEXEC
        do {
            guard let file = try result("open", path, allowing: ENOENT, { openFile(path, flags) }) else { return nil }
            if try status(of: file, path).st_mode & S_IFMT == S_IFREG { return file }
            close(file)
        } catch Relux.StorageError.system(_, _, let code) where code == EISDIR || code == ENXIO {}
        throw Relux.StorageError.damaged("", "“\(path)” isn't a file")
    }

    func create(_ path: String, like other: String) throws -> Int32 {
        // Nobody can have prepared it, even as a link to another file.
        try remove(path)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        guard let file = try result("open", path, { openFile(path, flags) }) else { return -1 }
        do {
            var status = stat()
            if try result("stat", other, allowing: ENOENT, { lstat(other, &status) }) != nil,
                status.st_mode & S_IFMT == S_IFREG
            {
                try result("fchmod", path) { fchmod(file, status.st_mode & 0o777) }
            }
        } catch {
            close(file)
            throw error
        }
        return file
    }

    func close(_ file: Int32) { _ = closeFile(file) }

    func size(of file: Int32, at path: String) throws -> Int { Int(try status(of: file, path).st_size) }

    func identity(of file: Int32, at path: String) throws -> FileIdentity { FileIdentity(try status(of: file, path)) }

    func identity(of path: String) throws -> FileIdentity? {
        var status = stat()
        return try result("stat", path, allowing: ENOENT) { lstat(path, &status) }.map { _ in FileIdentity(status) }
    }

    private func status(of file: Int32, _ path: String) throws -> stat {
        var status = stat()
        try result("fstat", path) { fstat(file, &status) }
        return status
    }

    func read(_ file: Int32, at offset: Int, count: Int, path: String) throws -> Data {
        var data = Data(count: count)
        var done = 0
        while done < count {
            // Unsafe bytes: used only inside the closure.
            let step = try data.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
                return try result("pread", path) { pread(file, rest.baseAddress, rest.count, off_t(offset + done)) }
            }
            guard let step, step > 0 else { return data.prefix(done) }
            done += step
        }
        return data
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int, path: String) throws -> Int {
        try result("pwrite", path) { pwrite(file, bytes.baseAddress, bytes.count, off_t(offset)) } ?? 0
    }

    func truncate(_ file: Int32, to size: Int, path: String) throws {
        try result("ftruncate", path) { ftruncate(file, off_t(size)) }
    }

    func synchronize(_ file: Int32, path: String) throws {
        #if canImport(Darwin)
            // Only this flushes the cache of the device. Some file systems don't support it.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        try result("fsync", path) { fsync(file) }
    }

    func rename(_ path: String, to other: String) throws { try result("rename", path) { renameFile(path, other) } }

    func remove(_ path: String) throws { try result("unlink", path, allowing: ENOENT) { unlink(path) } }

    func names(in folder: String) throws -> [String]? {
        guard try identity(of: folder) != nil else { return nil }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw Relux.StorageError.system(call: "readdir", path: folder, code: Self.code(of: error))
        }
    }

    func makeFolder(_ path: String) throws -> [String] {
        guard mkdir(path, 0o700) != 0 else { return [parent(of: path)] }
        var (code, made) = (errno, [String]())
        if code == ENOENT, parent(of: path) != path {
            made = try makeFolder(parent(of: path))
            code = mkdir(path, 0o700) == 0 ? 0 : errno
            if code == 0 { made.append(parent(of: path)) }
        }
        if code != 0, code != EEXIST { throw Relux.StorageError.system(call: "mkdir", path: path, code: code) }
        return made
    }

    private func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    func synchronizeFolder(_ path: String) throws {
        guard let folder = try result("open", path, { openFile(path, O_RDONLY | O_CLOEXEC) }) else { return }
        defer { close(folder) }
        try synchronize(folder, path: path)
    }

    func lock(_ path: String) throws -> Int32 {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        guard let file = try result("open", path, { openFile(path, flags) }) else { return -1 }
        do {
            try result("flock", path) { flock(file, LOCK_EX) }
        } catch {
            close(file)
            throw error
        }
        return file
    }

    // Closing the file gives up its lock.
    func unlock(_ lock: Int32) { close(lock) }

    /// Repeats a call as long as signals interrupt it.
    ///
    /// - Returns: Its result; nil for the allowed error.
    @discardableResult
    private func result<Number: FixedWidthInteger & SignedInteger>(
        _ call: String, _ path: String, allowing allowed: Int32? = nil, _ body: () -> Number
    ) throws -> Number? {
        while true {
            let number = body()
            guard number < 0 else { return number }
            let code = errno
            if code == allowed { return nil }
            if code != EINTR { throw Relux.StorageError.system(call: call, path: path, code: code) }
        }
    }

    /// The number of the system's error. Foundation doesn't always pass it on.
    private static func code(of error: any Error) -> Int32 {
        if let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError { return system.code.rawValue }
        return switch (error as? CocoaError)?.code {
        case .fileReadNoPermission: EACCES
        case .fileReadNoSuchFile, .fileNoSuchFile: ENOENT
        default: EIO
        }
    }
}

extension FileIdentity {
    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

// Outside the type, whose methods have the same names.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
private func closeFile(_ file: Int32) -> Int32 { close(file) }
private func renameFile(_ path: String, _ other: String) -> Int32 { rename(path, other) }
