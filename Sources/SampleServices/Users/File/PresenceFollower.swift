import Foundation

/// Follows a folder of users for one reader. It watches the folder for as long as it exists.
final class PresenceFollower: Sendable {
    private struct Progress {
        var told: UsersSnapshot?
        var hasEnded = false
    }

    private let folder: PresenceFolder
    private let bursts: Bursts
    private let watch: FolderWatch
    private let progress = Lock(Progress())

    /// Starts following. No change made after this returns is missed.
    init(
        _ folder: PresenceFolder,
        _ bursts: Bursts,
        whenClosed: (@Sendable () -> Void)?
    ) throws(UsersServiceError) {
        self.folder = folder
        self.bursts = bursts
        do {
            // Capturing the follower instead would create a reference cycle.
            watch = try FolderWatch(folder: folder.path, queue: folder.queue, whenClosed: whenClosed) { event in
                bursts.note(event)
            }
        } catch {
            throw StorageError(error, .watch, file: folder.path)
        }
    }

    /// The current users on the first call. Later calls wait until the users differ from those reported last.
    ///
    /// - Returns: The users, or the error that prevents following them any further. The result is nil after such an
    ///   error and once the task is cancelled.
    func next() async -> Result<UsersSnapshot, UsersServiceError>? {
        while !Task.isCancelled {
            let before = progress.withLock { $0 }
            if before.hasEnded { return nil }
            if before.told != nil {
                guard let event = await bursts.next() else { return nil }
                if event == .vanished { return end(with: UsersServiceError(.folderVanished, file: folder.path)) }
            }
            do throws(UsersServiceError) {
                let now = try await folder.queue.perform { [folder] () throws(UsersServiceError) in
                    try folder.read()
                }
                if now != before.told {
                    progress.withLock { $0.told = now }
                    return .success(now)
                }
            } catch {
                return end(with: error)
            }
        }
        return nil
    }

    private func end(with error: UsersServiceError) -> Result<UsersSnapshot, UsersServiceError> {
        progress.withLock { $0.hasEnded = true }
        watch.cancel()
        return .failure(error)
    }
}
