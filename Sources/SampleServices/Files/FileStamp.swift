import Foundation

/// Identifies one version of a file without reading it. A replaced file has a different stamp.
struct FileStamp: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    /// The size of the file in bytes.
    let size: Int

    /// The permission bits of the file's mode.
    let permissions: mode_t

    /// Whether it is a regular file.
    let isFile: Bool

    /// Reads the stamp of the file at a path. The result is nil if there is no file.
    ///
    /// - Throws: The error of the system, or ``SystemError/danglingLink`` for a symbolic link to a missing file. Its
    ///   target may be on a disk that isn't mounted, so it must not be mistaken for a file that doesn't exist yet.
    init?(path: String) throws(SystemError) {
        var status = stat()
        if stat(path, &status) != 0 {
            if errno != ENOENT { throw .last }
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { throw .danglingLink }
            return nil
        }
        self.init(status)
    }

    /// Reads the stamp of an open file.
    init(of descriptor: Descriptor) throws(SystemError) {
        var status = stat()
        if fstat(descriptor.number, &status) != 0 { throw .last }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        permissions = status.st_mode & 0o777
        isFile = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
            seconds = status.st_mtimespec.tv_sec
            nanoseconds = status.st_mtimespec.tv_nsec
        #else
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        #endif
    }

    /// Whether both stamps are of the same file, even if its contents have changed.
    func isSameFile(as other: FileStamp) -> Bool {
        device == other.device && inode == other.inode
    }
}

/// The error number of a failed system call.
struct SystemError: Error, Equatable {
    let code: Int32

    /// The current thread's `errno`.
    static var last: SystemError { SystemError(code: errno) }

    /// A symbolic link whose target doesn't exist. The system reports a missing file instead.
    static let danglingLink = SystemError(code: ENOLINK)

    /// A file that is larger than any that this program would write.
    static let tooLarge = SystemError(code: EOVERFLOW)

    /// The folder of a file that was there before is missing. The system reports a missing file instead.
    static let vanished = SystemError(code: ESTALE)
}
