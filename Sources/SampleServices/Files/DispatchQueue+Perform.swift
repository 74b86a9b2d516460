import Foundation

extension DispatchQueue {
    /// Does work on the queue, and waits for it without occupying a thread of the cooperative pool.
    ///
    /// What the work holds, a lock for example, the queue has let go of when this returns.
    ///
    /// - Cancellation: It has no say.
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

/// Work that is done once, and let go of then: the queue holds on to its block a moment longer.
private final class Job<Value: Sendable, Failure: Error>: Sendable {
    private let work: Lock<(@Sendable () throws(Failure) -> Value)?>
    /// What came of it. It is handed over here and not with the continuation: of one that is resumed before it is
    /// awaited the thread sanitizer hears nothing, and would report a race that isn't there.
    private let outcome = Lock<Result<Value, Failure>?>(nil)

    init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.work = Lock(work)
    }

    /// What came of the work, once it has been done.
    var result: Result<Value, Failure> {
        // Not for any input: `perform` asks after the block has run, and only then.
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
