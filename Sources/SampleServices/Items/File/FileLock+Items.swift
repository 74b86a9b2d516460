extension FileLock {
    /// Acquires the lock of a list, waiting for it without blocking a thread.
    static func takenForList(
        path: String,
        within limit: Duration,
        on clock: any Clock<Duration>
    ) async throws(ItemsServiceError) -> FileLock {
        do {
            return try await taken(path: path, within: limit, on: clock)
        } catch {
            switch error {
            case .held(let waited): throw ItemsServiceError(.locked(waited: waited), file: path)
            case .cancelled: throw ItemsServiceError(.cancelled, file: path)
            case .system(let error): throw error.serviceError(.lock, file: path)
            }
        }
    }
}
