import ReluxTesting
import TestFixtures

extension SeededExecutor {
    /// Starts a task on this executor and returns when nothing on the executor can run. A task that has not ended by
    /// then is waiting.
    @discardableResult
    func settle<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Task<Value, any Error> {
        let task = Task(executorPreference: self) { try await body() }
        await rest()
        return task
    }

    /// Opens a gate, and returns when nothing on the executor can run.
    func open(_ gate: Gate) async {
        gate.open()
        await rest()
    }
}
