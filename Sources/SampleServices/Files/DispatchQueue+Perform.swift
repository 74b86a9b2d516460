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
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            async { continuation.resume(returning: job.run()) }
        }
        return try result.get()
    }
}

/// Work that is done once, and let go of then: the queue holds on to its block a moment longer.
private final class Job<Value: Sendable, Failure: Error>: Sendable {
    private let work: Lock<(@Sendable () throws(Failure) -> Value)?>

    init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.work = Lock(work)
    }

    func run() -> Result<Value, Failure> {
        let taken = work.withLock { work in
            defer { work = nil }
            return work
        }
        // Not for any input: only the block in `perform` has the job, and a queue runs a block once.
        guard let taken else { preconditionFailure("A job is run once, by the one block that has it.") }
        do throws(Failure) { return .success(try taken()) } catch { return .failure(error) }
    }
}
