import Foundation

/// Follows a folder of users, for one reader. It holds the folder's watch for as long as it lives.
final class PresenceFollower: Sendable {
    private struct Progress {
        var told: UsersSnapshot?
        var hasEnded = false
    }

    private let folder: PresenceFolder
    private let bursts: Bursts
    private let watch: FolderWatch
    private let progress = Lock(Progress())

    /// Begins to follow. What happens from now on isn't missed.
    init(
        _ folder: PresenceFolder,
        _ bursts: Bursts,
        whenClosed: (@Sendable () -> Void)?
    ) throws(UsersServiceError) {
        self.folder = folder
        self.bursts = bursts
        do {
            // It must not hold the follower, which would hold itself then.
            watch = try FolderWatch(folder: folder.path, queue: folder.queue, whenClosed: whenClosed) { event in
                bursts.note(event)
            }
        } catch {
            throw error.usersError(.watch, file: folder.path)
        }
    }

    /// The users as they are now, when it is asked for the first time; then, when they aren't as it has told last.
    ///
    /// - Returns: The users, or why they can't be followed any more; nil after that, and once the task is cancelled.
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
