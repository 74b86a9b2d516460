import Foundation

/// The system calls that make up a write, replaceable so that tests can make each of them fail.
struct FileSystem: Sendable {
    /// Creates a file that must not exist yet and opens it for writing.
    var create: @Sendable (_ path: String, _ mode: mode_t) throws(SystemError) -> Descriptor

    /// Writes some of the bytes and returns their number.
    var write: @Sendable (Descriptor, ArraySlice<UInt8>) throws(SystemError) -> Int

    /// Returns when everything written has reached the disk.
    var synchronize: @Sendable (Descriptor) throws(SystemError) -> Void

    /// Renames a file over another one, atomically.
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

    /// Opens a file. Child processes don't inherit it, and opening a pipe doesn't wait for its other end.
    static func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) -> Descriptor {
        Descriptor(owning: Int32(try retrying { Int(open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)) }))
    }

    /// Opens a file for reading. The result is nil if it was removed a moment ago.
    static func openIfThere(_ path: String) throws(SystemError) -> Descriptor? {
        do {
            return try openFile(path, O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Creates a folder that only its owner can access, and any missing parent folders.
    static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            // A symbolic link to a folder is accepted, a file is not.
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

    /// The path of a file in a folder.
    ///
    /// A symbolic link is resolved once and for all. Otherwise a rename would replace the link with a file, and two
    /// processes that use different paths wouldn't share a lock.
    static func path(of name: String, in folder: String) -> String {
        URL(filePath: folder, directoryHint: .isDirectory).appending(path: name).resolvingSymlinksInPath()
            .path(percentEncoded: false)
    }

    /// Creates a folder for stored data, and any missing parent folders.
    static func makeDataFolder(_ path: String) throws(StorageError) {
        do {
            try makeFolder(path)
        } catch {
            throw StorageError(error, .folder, file: path)
        }
    }

    /// Repeats a call for as long as signals interrupt it.
    private static func retrying(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw .last }
        }
    }
}
