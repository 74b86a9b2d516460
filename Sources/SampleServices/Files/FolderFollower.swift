import Foundation

/// Follows a folder for one reader: looks at it once, and again after each burst of changes.
///
/// - Lifetime: It watches the folder for as long as it exists, or until it has reported an end.
final class FolderFollower<Value: Sendable>: Sendable {
    /// What a look at the folder has found.
    enum Finding: Sendable {
        /// Nothing that hasn't been reported.
        case nothing
        /// News, or a failure that may pass.
        case news(Result<Value, StorageError>)
        /// A failure after which nothing can be followed.
        case end(StorageError)
    }

    private struct Progress {
        var hasLooked = false
        var hasEnded = false
    }

    private let folder: String
    private let bursts: Bursts
    private let watch: FolderWatch
    private let look: @Sendable () async -> Finding
    private let progress = Lock(Progress())

    /// Starts following. No change made after this returns is missed. `whenClosed` is called when all system resources
    /// have been released.
    init(
        _ folder: String,
        queue: DispatchQueue,
        _ bursts: Bursts,
        whenClosed: (@Sendable () -> Void)?,
        look: @escaping @Sendable () async -> Finding
    ) throws(StorageError) {
        (self.folder, self.bursts, self.look) = (folder, bursts, look)
        do throws(SystemError) {
            // Capturing the follower instead would create a reference cycle.
            watch = try FolderWatch(folder: folder, queue: queue, whenClosed: whenClosed) { bursts.note($0) }
        } catch {
            throw StorageError(error, .watch, file: folder)
        }
    }

    /// Waits for news.
    ///
    /// - Returns: The news or the failure, or nil once the task is cancelled or the end has been reported.
    func next() async -> Result<Value, StorageError>? {
        while !Task.isCancelled {
            let before = progress.withLock { $0 }
            if before.hasEnded { return nil }
            if before.hasLooked {
                guard let event = await bursts.next() else { return nil }
                if event == .vanished { return end(with: StorageError(.folderVanished, file: folder)) }
            }
            let finding = await look()
            progress.withLock { $0.hasLooked = true }
            switch finding {
            case .nothing: continue
            case .news(let news): return news
            case .end(let error): return end(with: error)
            }
        }
        return nil
    }

    private func end(with error: StorageError) -> Result<Value, StorageError> {
        progress.withLock { $0.hasEnded = true }
        watch.cancel()
        return .failure(error)
    }
}

extension AsyncStream {
    /// A stream that reports a failure and ends.
    static func failed<Value, Failure: Error>(_ error: Failure) -> AsyncStream
    where Element == Result<Value, Failure> {
        AsyncStream { continuation in
            continuation.yield(.failure(error))
            continuation.finish()
        }
    }
}
