import Foundation

/// The system calls that a write consists of, so that tests can let each of them fail.
struct FileSystem: Sendable {
    /// Opens a file that must not exist yet, for writing.
    var create: @Sendable (_ path: String, _ mode: mode_t) throws(SystemError) -> Descriptor

    /// Writes some of the bytes and says how many.
    var write: @Sendable (Descriptor, ArraySlice<UInt8>) throws(SystemError) -> Int

    /// Returns when everything written has reached the disk.
    var synchronize: @Sendable (Descriptor) throws(SystemError) -> Void

    /// Puts a file in the place of another one, in one step.
    var replace: @Sendable (_ path: String, _ target: String) throws(SystemError) -> Void

    static let live = FileSystem(
        create: { (path, mode) throws(SystemError) in
            try openFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        },
        write: { (descriptor, bytes) throws(SystemError) in
            try retrying { bytes.withUnsafeBytes { Foundation.write(descriptor.number, $0.baseAddress, $0.count) } }
        },
        synchronize: { (descriptor) throws(SystemError) in
            _ = try retrying { Int(fsync(descriptor.number)) }
        },
        replace: { (path, target) throws(SystemError) in
            if rename(path, target) != 0 { throw .last }
        }
    )

    /// Opens a file, closed to child processes, and never waits for a pipe's other end.
    static func openFile(
        _ path: String,
        _ flags: Int32,
        mode: mode_t = 0,
        whenClosed: (@Sendable () -> Void)? = nil
    ) throws(SystemError) -> Descriptor {
        let number = try retrying { Int(open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)) }
        return Descriptor(owning: Int32(number), whenClosed: whenClosed)
    }

    /// The names of what is in a folder, in no particular order.
    static func names(in folder: String) throws(SystemError) -> [String] {
        // For the number of the error, which the other way of asking hides.
        _ = try openFile(folder, O_RDONLY | O_DIRECTORY)
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw SystemError(code: EIO)
        }
    }

    /// Makes a folder, for its owner only, and those above it that are missing.
    static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            // A link to a folder will do; a file won't.
            var status = stat()
            if stat(path, &status) != 0 { throw .last }
            if status.st_mode & S_IFMT != S_IFDIR { throw SystemError(code: ENOTDIR) }
        case ENOENT:
            let parent = (path as NSString).deletingLastPathComponent
            guard !parent.isEmpty, parent != path else { throw SystemError(code: ENOENT) }
            try makeFolder(parent)
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw .last }
        default: throw .last
        }
    }

    /// Makes the call again as long as signals interrupt it.
    private static func retrying(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw .last }
        }
    }
}
