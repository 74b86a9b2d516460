import Foundation

/// The right to write, held by one process at a time.
///
/// It is an advisory lock of the system on a file of its own, which is never written to nor removed. The system drops
/// it with the process that holds it, however that ends; in this process it lasts as long as the value.
struct FileLock: Sendable {
    /// Why the lock could not be had.
    enum Failure: Error, Equatable {
        /// Somebody else has held it for all that time.
        case held(waited: Duration)
        /// The task was cancelled.
        case cancelled
        /// The system refused it.
        case system(SystemError)
    }

    /// Has no other use than to keep the lock.
    private let descriptor: Descriptor

    /// How long to wait before trying again: at first shortly, later less often.
    static let pauses: [Duration] = [.milliseconds(1), .milliseconds(2), .milliseconds(5), .milliseconds(10)]

    private init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Takes the lock if nobody holds it. Doesn't wait.
    ///
    /// - Returns: The lock, or nil where somebody else holds it.
    static func ifFree(path: String) throws(SystemError) -> FileLock? {
        let descriptor = try FileSystem.openFile(path, O_RDWR | O_CREAT, mode: 0o600)
        if flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK || errno == EINTR { return nil }
            throw .last
        }
        // Somebody may have replaced the folder between the opening and the locking; then this lock shuts out nobody.
        guard let standing = try FileStamp(path: path), try FileStamp(of: descriptor).isSameFile(as: standing) else {
            return nil
        }
        return FileLock(descriptor)
    }

    /// Takes the lock, and waits for it while somebody else holds it, without occupying a thread.
    static func taken(
        path: String,
        within limit: Duration,
        on clock: any Clock<Duration>
    ) async throws(Failure) -> FileLock {
        var waited: Duration = .zero
        var attempt = 0
        while true {
            do {
                if let lock = try ifFree(path: path) { return lock }
            } catch {
                throw .system(error)
            }
            guard waited < limit else { throw .held(waited: waited) }
            let pause = pauses[min(attempt, pauses.count - 1)]
            do {
                try await clock.sleep(for: pause)
            } catch {
                throw .cancelled
            }
            waited += pause
            attempt += 1
        }
    }
}
