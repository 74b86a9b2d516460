import Foundation

/// Replaces a file as a whole.
///
/// The new version is written beside the old one under a temporary name, brought to the disk, and put in place by a
/// rename; then the folder is brought to the disk as well. Whenever that is interrupted, the old version or the new
/// one stands there, whole.
///
/// Writers hold the lock. So a temporary file that one of them finds belongs to nobody who is still alive, and goes.
struct AtomicFile: Sendable {
    let path: String
    let system: FileSystem

    private var folder: String { (path as NSString).deletingLastPathComponent }
    private var temporaryPrefix: String { ".\((path as NSString).lastPathComponent)." }
    private static let temporarySuffix = ".tmp"

    /// Writes a new version. The caller holds the lock.
    ///
    /// - Returns: The stamp of what has been written.
    func replace(with bytes: [UInt8], permissions: mode_t) throws(SystemError) -> FileStamp {
        removeLeftovers()
        let temporary = "\(folder)/\(temporaryPrefix)\(UUID().uuidString)\(Self.temporarySuffix)"
        let stamp: FileStamp
        do {
            stamp = try write(bytes, to: temporary, permissions: permissions)
            try system.replace(temporary, path)
        } catch {
            unlink(temporary)
            throw error
        }
        try system.synchronize(FileSystem.openFile(folder, O_RDONLY))
        return stamp
    }

    private func write(_ bytes: [UInt8], to path: String, permissions: mode_t) throws(SystemError) -> FileStamp {
        let descriptor = try system.create(path, permissions)
        fchmod(descriptor.number, permissions)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try system.write(descriptor, rest)
            rest = rest.dropFirst(count)
        }
        try system.synchronize(descriptor)
        return try FileStamp(of: descriptor)
    }

    private func removeLeftovers() {
        // A folder that can't be listed can't be tidied; whether it can be written to shows a moment later.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(temporaryPrefix) && name.hasSuffix(Self.temporarySuffix) {
            unlink("\(folder)/\(name)")
        }
    }
}
