/// Follows changes of the session for one reader. It watches the folder for as long as it exists.
final class SessionFollower: Sendable {
    private struct Progress {
        /// Whether it has read the file, or tried to.
        var hasLooked = false
        /// The newest revision seen, or nil until the file could be read.
        var seen: Int?
        /// The last failure reported, until the file can be read again.
        var failure: ProfileServiceError?
        var hasEnded = false
    }

    private let file: StoredFile<SessionRecord>
    private let bursts: Bursts
    private let watch: FolderWatch
    private let progress = Lock(Progress())

    /// Starts following. No change made after this returns is missed.
    init(
        _ file: StoredFile<SessionRecord>,
        _ bursts: Bursts,
        whenClosed: (@Sendable () -> Void)?
    ) throws(ProfileServiceError) {
        self.file = file
        self.bursts = bursts
        do throws(SystemError) {
            // Capturing the follower instead would create a reference cycle.
            watch = try FolderWatch(folder: file.folder, queue: file.queue, whenClosed: whenClosed) { event in
                bursts.note(event)
            }
        } catch {
            throw ProfileServiceError(error, .watch, file: file.folder)
        }
    }

    /// Waits until the session differs from what the service last returned and from what this last reported.
    ///
    /// - Returns: The profile that is signed in, nil for none, or the error that prevents reading it. The result itself
    ///   is nil once the task is cancelled or the loss of the folder has been reported.
    func next() async -> Result<ProfileName?, ProfileServiceError>? {
        while !Task.isCancelled {
            let before = progress.withLock { $0 }
            if before.hasEnded { return nil }
            if before.hasLooked {
                guard let event = await bursts.next() else { return nil }
                if event == .vanished { return end() }
            }
            do throws(ProfileServiceError) {
                let (version, given) = try await file.perform { (file) throws(ProfileServiceError) in
                    try file.look()
                }
                if isNews(version.revision, given: given) { return .success(version.document?.name) }
            } catch {
                if isNews(error) { return .failure(error) }
            }
        }
        return nil
    }

    /// The first read of the file isn't news, unless a call of the service returned something else before.
    private func isNews(_ revision: Int, given: Int?) -> Bool {
        progress.withLock { progress in
            defer { (progress.hasLooked, progress.seen, progress.failure) = (true, revision, nil) }
            if progress.failure != nil { return true }
            guard let known = given.map({ max($0, progress.seen ?? $0) }) ?? progress.seen else { return false }
            return revision > known
        }
    }

    /// A failure is reported only once, because one change of a folder causes several events.
    private func isNews(_ failure: ProfileServiceError) -> Bool {
        progress.withLock { progress in
            defer { (progress.hasLooked, progress.failure) = (true, failure) }
            return progress.failure != failure
        }
    }

    private func end() -> Result<ProfileName?, ProfileServiceError> {
        progress.withLock { $0.hasEnded = true }
        watch.cancel()
        return .failure(ProfileServiceError(.folderVanished, file: file.folder))
    }
}
