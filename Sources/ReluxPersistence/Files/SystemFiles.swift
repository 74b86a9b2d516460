import Foundation

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
        let flags =
            switch access {
            case .reading: O_RDONLY
            case .changing: O_RDWR
            case .replacing: O_RDWR | O_CREAT | O_TRUNC
            }
        return try result("open", path, allowing: access == .replacing ? nil : ENOENT) {
            openFile(path, flags | O_CLOEXEC)
        }
    }

    func close(_ file: Int32) { _ = closeFile(file) }

    func size(of file: Int32, at path: String) throws -> Int { Int(try status(of: file, path).st_size) }

    func identity(of file: Int32, at path: String) throws -> FileIdentity { FileIdentity(try status(of: file, path)) }

    func identity(of path: String) throws -> FileIdentity? {
        var status = stat()
        return try result("stat", path, allowing: ENOENT) { stat(path, &status) }.map { _ in FileIdentity(status) }
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
            throw StorageError.system(call: "readdir", path: folder, code: Self.code(of: error))
        }
    }

    func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o777) != 0 else { return }
        var code = errno
        let parent = (path as NSString).deletingLastPathComponent
        if code == ENOENT, parent != path, !parent.isEmpty {
            try makeFolder(parent)
            code = mkdir(path, 0o777) == 0 ? 0 : errno
        }
        if code != 0, code != EEXIST { throw StorageError.system(call: "mkdir", path: path, code: code) }
    }

    func synchronizeFolder(_ path: String) throws {
        guard let folder = try result("open", path, { openFile(path, O_RDONLY | O_CLOEXEC) }) else { return }
        defer { close(folder) }
        try synchronize(folder, path: path)
    }

    func lock(_ path: String) throws -> Int32 {
        guard let file = try result("open", path, { openFile(path, O_RDWR | O_CREAT | O_CLOEXEC) }) else { return -1 }
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
            if code != EINTR { throw StorageError.system(call: call, path: path, code: code) }
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
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o666) }
private func closeFile(_ file: Int32) -> Int32 { close(file) }
private func renameFile(_ path: String, _ other: String) -> Int32 { rename(path, other) }
