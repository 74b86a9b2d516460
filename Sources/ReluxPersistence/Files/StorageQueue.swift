import Dispatch

/// Executes long calls one after the other, on a thread of its own, so that no other work waits for them.
actor StorageQueue {
    private final class Thread: SerialExecutor {
        private let queue = DispatchQueue(label: "Relux storage")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let thread = Thread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Cancellation: Ignored: a call that has begun is completed.
    func run<Output: Sendable>(_ body: @Sendable () throws -> Output) throws -> Output { try body() }
}
