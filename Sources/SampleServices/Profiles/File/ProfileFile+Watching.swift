import Foundation

extension ProfileFile {
    /// Reports the versions of the file that other processes write from now on. A missing folder is created.
    ///
    /// - Parameters:
    ///   - continuation: Receives the values. The watch ends when it terminates.
    ///   - make: Converts a version of the file to the value to report.
    func changesElsewhere<Value: Sendable>(
        in continuation: AsyncStream<Result<Value, ProfileServiceError>>.Continuation,
        _ make: @escaping @Sendable (Version) -> Value
    ) async {
        do throws(ProfileServiceError) {
            try await perform { (file) throws(ProfileServiceError) in
                try file.makeFolder()
                try file.watch(continuation, make)
            }
        } catch {
            continuation.yield(.failure(error))
            continuation.finish()
        }
    }

    /// Runs on the queue, like the events. No event can therefore be handled before the first check.
    private func watch<Value: Sendable>(
        _ continuation: AsyncStream<Result<Value, ProfileServiceError>>.Continuation,
        _ make: @escaping @Sendable (Version) -> Value
    ) throws(ProfileServiceError) {
        let folder = folder
        let check: @Sendable () -> Void = {
            do throws(ProfileServiceError) {
                if let version = try self.readIfChangedElsewhere() { continuation.yield(.success(make(version))) }
            } catch {
                continuation.yield(.failure(error))
            }
        }
        do throws(SystemError) {
            let watch = try FolderWatch(folder: folder, queue: queue) { event in
                switch event {
                case .changed: check()
                case .vanished:
                    continuation.yield(.failure(ProfileServiceError(.folderVanished, file: folder)))
                    continuation.finish()
                }
            }
            continuation.onTermination = { _ in watch.cancel() }
        } catch {
            throw ProfileServiceError(error, .watch, file: folder)
        }
        // Catches what was written between the last load and the start of the watch.
        check()
    }
}
