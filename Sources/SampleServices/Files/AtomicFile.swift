import Foundation

/// Replaces a file atomically.
///
/// The new version is written to a temporary file in the same folder, flushed to disk, and renamed over the old one.
/// The folder is then flushed as well. If any of this is interrupted, the path holds either the complete old version or
/// the complete new one.
///
/// Writers hold the lock. Any temporary file that a writer finds was therefore left by a process that has ended, and is
/// removed.
struct AtomicFile: Sendable {
    let path: String
    /// The maximum size of the new version in bytes.
    let limit: Int
    let system: FileSystem

    private var folder: String { (path as NSString).deletingLastPathComponent }
    private var temporaryPrefix: String { ".\((path as NSString).lastPathComponent)." }
    private static let temporarySuffix = ".tmp"

    /// Writes a new version. The caller must hold the lock.
    ///
    /// - Returns: The stamp of the new version.
    /// - Throws: The error of the system, or ``SystemError/tooLarge`` before anything beyond the limit is written.
    func replace(with pieces: any Sequence<[UInt8]>, permissions: mode_t) throws(SystemError) -> FileStamp {
        removeLeftovers()
        let temporary = "\(folder)/\(temporaryPrefix)\(UUID().uuidString)\(Self.temporarySuffix)"
        let stamp: FileStamp
        do {
            stamp = try write(pieces, to: temporary, permissions: permissions)
            try system.replace(temporary, path)
        } catch {
            unlink(temporary)
            throw error
        }
        try system.synchronize(FileSystem.openFile(folder, O_RDONLY))
        return stamp
    }

    private func write(
        _ pieces: some Sequence<[UInt8]>,
        to path: String,
        permissions: mode_t
    ) throws(SystemError) -> FileStamp {
        let descriptor = try system.create(path, permissions)
        fchmod(descriptor.number, permissions)
        var size = 0
        for piece in pieces {
            size += piece.count
            if size > limit { throw .tooLarge }
            var rest = piece[...]
            while !rest.isEmpty {
                let count = try system.write(descriptor, rest)
                rest = rest.dropFirst(count)
            }
        }
        try system.synchronize(descriptor)
        return try FileStamp(of: descriptor)
    }

    private func removeLeftovers() {
        // A folder that can't be listed can't be cleaned up. If it isn't writable either, the write that follows fails.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(temporaryPrefix) && name.hasSuffix(Self.temporarySuffix) {
            unlink("\(folder)/\(name)")
        }
    }
}
