import Foundation

/// An exclusive lock for writing, held by one process at a time.
///
/// This is an advisory `flock` lock on a file of its own, which is never written or removed. The system releases the
/// lock when the process that holds it ends, for whatever reason. Within this process, the lock is held for as long as
/// the value exists.
struct FileLock: Sendable {
    /// Stored only to keep the lock.
    private let descriptor: Descriptor

    /// The pauses between attempts, growing up to the last one, which then repeats.
    static let pauses: [Duration] = [.milliseconds(1), .milliseconds(2), .milliseconds(5), .milliseconds(10)]

    private init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Acquires the lock if it is free, without waiting.
    ///
    /// - Returns: The lock, or nil if it is held elsewhere.
    static func ifFree(path: String) throws(SystemError) -> FileLock? {
        let descriptor = try FileSystem.openFile(path, O_RDWR | O_CREAT, mode: 0o600)
        if flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK || errno == EINTR { return nil }
            throw .last
        }
        // If the folder was replaced between opening and locking, this lock excludes nobody.
        guard let standing = try FileStamp(path: path), try FileStamp(of: descriptor).isSameFile(as: standing) else {
            return nil
        }
        return FileLock(descriptor)
    }

    /// Acquires the lock, waiting for it without blocking a thread.
    ///
    /// - Throws: ``StorageError/Reason/locked(waited:)`` when the limit is reached, `cancelled` if the task is
    ///   cancelled while it waits, or the error of a system call.
    static func acquired(
        path: String,
        within limit: Duration,
        on clock: any Clock<Duration>
    ) async throws(StorageError) -> FileLock {
        var waited: Duration = .zero
        var attempt = 0
        while true {
            do {
                if let lock = try ifFree(path: path) { return lock }
            } catch {
                throw StorageError(error, .lock, file: path)
            }
            guard waited < limit else { throw StorageError(.locked(waited: waited), file: path) }
            let pause = pauses[min(attempt, pauses.count - 1)]
            do {
                try await clock.sleep(for: pause)
            } catch {
                throw StorageError(.cancelled, file: path)
            }
            waited += pause
            attempt += 1
        }
    }
}
