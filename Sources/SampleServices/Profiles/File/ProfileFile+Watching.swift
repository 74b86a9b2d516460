import Foundation

extension ProfileFile {
    /// Tells the versions of the file that others write, from now on. The folder is made if need be.
    ///
    /// - Parameters:
    ///   - continuation: Who is told. The watch ends with it.
    ///   - make: Makes of a version what is told.
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

    /// Called on the queue, as are the events: none can come before the first check.
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
        // What was written between the last load and the beginning of the watch.
        check()
    }
}
