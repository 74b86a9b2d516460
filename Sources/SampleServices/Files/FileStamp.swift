import Foundation

/// What tells one version of a file from another without reading it. A file that is replaced has a new one.
struct FileStamp: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    /// How many bytes the file has.
    let size: Int

    /// Who may read and write it.
    let permissions: mode_t

    /// Whether it is an ordinary file.
    let isFile: Bool

    /// The version that stands at a path now, or nil if there is none.
    init?(path: String) throws(SystemError) {
        var status = stat()
        if stat(path, &status) != 0 {
            if errno == ENOENT { return nil }
            throw .last
        }
        self.init(status)
    }

    /// The version that is open.
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

    /// Whether both are the same file, though its contents may have changed.
    func isSameFile(as other: FileStamp) -> Bool {
        device == other.device && inode == other.inode
    }
}
