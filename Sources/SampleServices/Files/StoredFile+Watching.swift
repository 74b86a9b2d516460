import Foundation

extension StoredFile {
    /// Reports the versions of the file that other processes write from now on, until the continuation terminates. A
    /// missing folder is created.
    func changesElsewhere<Value: Sendable>(
        in continuation: AsyncStream<Result<Value, StorageError>>.Continuation,
        _ make: @escaping @Sendable (Version) -> Value
    ) async {
        do throws(StorageError) {
            try await perform { (file) throws(StorageError) in
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
        _ continuation: AsyncStream<Result<Value, StorageError>>.Continuation,
        _ make: @escaping @Sendable (Version) -> Value
    ) throws(StorageError) {
        let folder = folder
        let check: @Sendable () -> Void = {
            do throws(StorageError) {
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
                    continuation.yield(.failure(StorageError(.folderVanished, file: folder)))
                    continuation.finish()
                }
            }
            continuation.onTermination = { _ in watch.cancel() }
        } catch {
            throw StorageError(error, .watch, file: folder)
        }
        // Catches what was written between the last load and the start of the watch.
        check()
    }
}
