import ReluxTesting

extension SeededExecutor {
    /// Starts a task here, and returns when nothing on this executor can go on: what has not ended then waits.
    @discardableResult
    func settle<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Task<Value, any Error> {
        let task = Task(executorPreference: self) { try await body() }
        await rest()
        return task
    }
}
