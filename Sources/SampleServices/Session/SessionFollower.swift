/// Follows who is signed in, for one reader. It holds the folder's watch for as long as it lives.
final class SessionFollower: Sendable {
    private struct Progress {
        /// Whether it has looked at the file.
        var hasLooked = false
        /// The newest revision that it has seen; nil before it could read the file.
        var seen: Int?
        /// What it has told, and holds until the file can be read again.
        var failure: ProfileServiceError?
        var hasEnded = false
    }

    private let file: ProfileFile<SessionRecord>
    private let bursts: Bursts
    private let watch: FolderWatch
    private let progress = Lock(Progress())

    /// Begins to follow. What happens from now on isn't missed.
    init(
        _ file: ProfileFile<SessionRecord>,
        _ bursts: Bursts,
        whenClosed: (@Sendable () -> Void)?
    ) throws(ProfileServiceError) {
        self.file = file
        self.bursts = bursts
        do throws(SystemError) {
            // It must not hold the follower, which would hold itself then.
            watch = try FolderWatch(folder: file.folder, queue: file.queue, whenClosed: whenClosed) { event in
                bursts.note(event)
            }
        } catch {
            throw ProfileServiceError(error, .watch, file: file.folder)
        }
    }

    /// Who is signed in, once that is another than the service has returned and this has told; nil for nobody.
    ///
    /// - Returns: Who is signed in, or why that can't be read; nil once the task is cancelled, or the folder was gone.
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

    /// The first look at the file isn't news, unless a call of the service has returned something else before.
    private func isNews(_ revision: Int, given: Int?) -> Bool {
        progress.withLock { progress in
            defer { (progress.hasLooked, progress.seen, progress.failure) = (true, revision, nil) }
            if progress.failure != nil { return true }
            guard let known = given.map({ max($0, progress.seen ?? $0) }) ?? progress.seen else { return false }
            return revision > known
        }
    }

    /// A failure is told once: one change of a folder comes as several events.
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
