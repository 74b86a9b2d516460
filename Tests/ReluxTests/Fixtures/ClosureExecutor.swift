/// A task executor made of a closure, which gets the jobs as closures.
final class ClosureExecutor: TaskExecutor {
    private let body: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ body: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.body = body
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        body { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
