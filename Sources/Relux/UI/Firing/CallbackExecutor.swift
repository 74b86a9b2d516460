/// The executor of one nonisolated body that was fired. It holds the body until its turn, and reports when the body has
/// begun.
///
/// A job of a task ends when the task suspends. The body has therefore begun when its first job ends, which only the
/// executor can see. The jobs themselves run on the default pool.
final class CallbackExecutor: TaskExecutor {
    private enum Progress {
        case waiting(UnownedJob?)
        case started
    }

    private let progress = Lock(Progress.waiting(nil))
    private let hasBegun: @Sendable () -> Void

    /// Creates an executor for one task.
    ///
    /// - Parameter hasBegun: Called once, when the body has begun.
    init(hasBegun: @escaping @Sendable () -> Void) {
        self.hasBegun = hasBegun
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = progress.withLock { progress in
            guard case .waiting = progress else { return false }
            progress = .waiting(job)
            return true
        }
        if !isFirst { run(job) }
    }

    /// Starts the task, which must exist already.
    func start() {
        let job: UnownedJob? = progress.withLock { progress in
            guard case .waiting(let job) = progress else { return nil }
            progress = .started
            return job
        }
        if let job { run(job, andThen: hasBegun) }
    }

    private func run(_ job: UnownedJob, andThen next: (@Sendable () -> Void)? = nil) {
        Task.detached(priority: TaskPriority(job.priority)) {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            next?()
        }
    }
}
