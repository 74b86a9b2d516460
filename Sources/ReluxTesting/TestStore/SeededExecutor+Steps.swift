import Relux

extension SeededExecutor {
    /// Does something here, and comes to rest.
    ///
    /// - Returns: What the closure returns, once it has ended: if it waits for work elsewhere, that is waited for.
    func value<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let result = Shared<Result<Value, any Error>?>(nil)
        Task(executorPreference: self, priority: .medium) {
            do {
                let value = try await body()
                result.change { $0 = .success(value) }
            } catch {
                result.change { $0 = .failure(error) }
            }
        }
        while true {
            await rest()
            if let result = result.value { return try result.get() }
            if Task.isCancelled { throw CancellationError() }
            await arrival()
        }
    }

    /// Shuts a store down, with what is still under way in it.
    func end(_ store: Relux.Store) {
        Task(executorPreference: self, priority: .medium) { await store.shutdown() }
        drain(limit: 100_000)
    }
}
