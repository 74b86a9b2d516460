import Relux

extension SeededExecutor {
    /// Runs a closure on this executor until nothing more can run.
    ///
    /// If the closure waits for work elsewhere, this call waits for that work too.
    ///
    /// - Returns: The value that the closure returned.
    /// - Throws: Any error that the closure throws, or `CancellationError` if the current task is cancelled during a
    ///   wait for work elsewhere, or if the jobs have no end.
    func value<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard !isEndless else { throw CancellationError() }
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
            if Task.isCancelled || isEndless { throw CancellationError() }
            await arrival()
        }
    }
}
