import Relux

/// A task executor that runs one job at a time, and chooses the next at random by its seed.
///
/// Tasks that prefer it run only while somebody drives it. All of them, and the actors that they call, then take turns
/// on the driver's thread, in an order that follows from the seed alone: the same seed gives the same interleaving,
/// as often as wanted.
///
/// ```swift
/// let executor = SeededExecutor(seed: 7)
/// Task(executorPreference: executor) { await counter.increment() }
/// Task(executorPreference: executor) { await counter.reset() }
/// executor.drain()
/// ```
///
/// - Isolation: Jobs run on the thread that calls ``drain(limit:)``, or that of the task that awaits ``rest()``. That
///   may be a plain thread or one on which a task runs: the current task, its task-local values and its isolation are
///   as before when the call returns. Only one thread drives at a time.
/// - Ordering: Any waiting job may be next. Jobs of default actors are carried like those of tasks, and an actor's own
///   queue keeps its order, so each order is one that the ordinary pool could have taken.
/// - Determinism: It covers what stays here: tasks that prefer this executor, their structured children, and default
///   actors. A plain `Task {}` doesn't inherit the preference, so it runs elsewhere, as do detached tasks, the main
///   actor, actors with an executor of their own, and real sleeps. A job that comes back from there while a thread
///   drives is counted in ``strays``: from then on the order follows from more than the seed. A task that runs
///   elsewhere and calls the same actors disturbs the order too.
/// - Cancellation: Cancelling a task changes nothing here: its job runs in its turn.
/// - Lifetime: A job that never gets its turn keeps its task, and what that holds, for ever.
public final class SeededExecutor: TaskExecutor {
    /// What the order of the jobs follows from.
    public let seed: UInt64

    private let pool: Lock<JobPool>

    /// Makes an executor without jobs.
    ///
    /// - Parameter seed: What the order of the jobs follows from.
    public init(seed: UInt64) {
        self.seed = seed
        pool = Lock(JobPool(seed: seed))
    }

    /// One choice of a job.
    public struct Choice: Sendable, Hashable {
        /// Which one was taken.
        public let index: Int

        /// Of how many.
        public let count: Int
    }

    /// Every choice so far: the trace by which two runs are compared.
    public var choices: [Choice] { pool.withLock { $0.choices } }

    /// How many jobs came from another thread while one was driving: from work that had left this executor.
    public var strays: Int { pool.withLock { $0.strays } }

    /// Whether no job waits. While a job runs, it may still make others.
    public var isDry: Bool { pool.withLock { $0.isDry } }

    /// Takes a job. The runtime calls this, from any thread.
    ///
    /// - Parameter job: What to run in its turn.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = ThreadIdentity.current
        let arrivals = pool.withLock { $0.add(job, from: thread) }
        for arrival in arrivals { arrival.continuation.resume() }
    }
}

// MARK: - Driving

extension SeededExecutor {
    /// Runs jobs, one at a time, until none is left.
    ///
    /// When none is left, who awaits ``rest()`` goes on, one after another, each once the one before has come to rest.
    ///
    /// - Parameter limit: The most jobs to run, for work that never ends. ``isDry`` tells whether it was reached.
    /// - Returns: How many have run. None if another thread drives, or if a job of this executor calls it.
    @discardableResult
    public func drain(limit: Int = .max) -> Int {
        drive { run(limit) } ?? 0
    }

    /// Waits until no job is left, and drives if nobody else does.
    ///
    /// A job of this executor may await it as well: it goes on when all others have come to rest. Of several that wait,
    /// the first goes on first, and the next when what that one sets off has come to rest too. It suits a
    /// ``ManualClock``: `ManualClock { await executor.rest() }`.
    ///
    /// Cancelling the waiting task doesn't end the wait.
    public func rest() async {
        var hasRested = false
        while !hasRested {
            if drive({ run(.max) }) != nil { return }
            hasRested = await withCheckedContinuation { continuation in
                if let refused = pool.withLock({ $0.rest(continuation) }) { refused.resume(returning: false) }
            }
        }
    }

    /// Waits until there is a job to run. With ``rest()`` it waits for work that has left this executor.
    ///
    /// It ends early when the waiting task is cancelled.
    public func arrival() async {
        let id = pool.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let arrival = JobPool.Arrival(id: id, continuation: continuation)
                // The flag is set before the handler below runs, and read under the same lock.
                let answered = pool.withLock { $0.await(arrival, isCancelled: Task.isCancelled) }
                answered?.continuation.resume()
            }
        } onCancel: {
            pool.withLock { $0.cancel(id) }?.continuation.resume()
        }
    }

    /// Makes the calling thread the one that drives, between drains as well: every job that another thread brings
    /// meanwhile counts as a stray.
    ///
    /// - Parameter body: What the thread does meanwhile: starting tasks, draining, moving a clock.
    /// - Returns: What the body returned, or nil if it didn't run: another thread drives, or this is a job's.
    package func drive<Result>(_ body: () -> Result) -> Result? {
        let thread = ThreadIdentity.current
        switch pool.withLock({ $0.takeOver(thread) }) {
        case .refused: return nil
        case .nested: return body()
        case .outermost:
            defer {
                for waiting in pool.withLock({ $0.leave() }) { waiting.resume(returning: false) }
            }
            return body()
        }
    }

    private func run(_ limit: Int) -> Int {
        var count = 0
        while count < limit {
            switch pool.withLock({ $0.next() }) {
            case .run(let job):
                job.runSynchronously(on: asUnownedTaskExecutor())
                pool.withLock { $0.finishJob() }
                count += 1
            case .resume(let resting): resting.resume(returning: true)
            case .stop: return count
            }
        }
        return count
    }
}
