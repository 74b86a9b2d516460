import Foundation

extension DispatchQueue {
    /// Runs work on the queue and waits for it without blocking a thread of the cooperative pool.
    ///
    /// By the time this returns, the queue has released everything that the work captured, such as a lock.
    ///
    /// - Cancellation: Ignored.
    func perform<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let job = Job(work)
        await withCheckedContinuation { continuation in
            async {
                job.run()
                continuation.resume()
            }
        }
        return try job.result.get()
    }
}

/// Work that runs once and is then released, because the queue keeps its block alive a moment longer.
private final class Job<Value: Sendable, Failure: Error>: Sendable {
    private let work: Lock<(@Sendable () throws(Failure) -> Value)?>
    /// The result of the work. It is stored here instead of being passed through the continuation: if a continuation is
    /// resumed before it is awaited, the thread sanitizer misses the synchronization and reports a false race.
    private let outcome = Lock<Result<Value, Failure>?>(nil)

    init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.work = Lock(work)
    }

    /// The result of the work. It must be read after the work has run.
    var result: Result<Value, Failure> {
        // Unreachable for any input: `perform` reads the result only after the block has run.
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("A job is asked after it was done.") }
        return result
    }

    func run() {
        let taken = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let taken else { return }
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try taken()) } catch { result = .failure(error) }
        outcome.withLock { $0 = result }
    }
}
