import Relux
import Synchronization

/// A task executor that runs one job at a time and uses its seed to choose the next one at random.
///
/// Tasks that prefer it run only while a thread drives it. These tasks, and the actors that they call, then take turns
/// on the driving thread, in an order determined by the seed alone. The same seed always gives the same interleaving.
///
/// ```swift
/// let executor = SeededExecutor(seed: 7)
/// Task(executorPreference: executor) { await counter.increment() }
/// Task(executorPreference: executor) { await counter.reset() }
/// executor.drain()
/// ```
///
/// - Isolation: Jobs run on the thread that calls ``drain(limit:)``, or on the thread of the task that awaits
///   ``rest()``. This may be a plain thread or one that is running a task: the current task, its task-local values and
///   its isolation are restored when the call returns. Only one thread drives at a time.
/// - Ordering: Any waiting job may be next. The jobs of default actors are treated like those of tasks, and each
///   actor's own queue keeps its order. Every order is therefore one that the ordinary pool could have taken.
/// - Determinism: It covers the work that stays on this executor: tasks that prefer it, their structured child tasks,
///   and default actors. A plain `Task {}` doesn't inherit the preference and runs elsewhere, as do detached tasks, the
///   main actor, actors with an executor of their own, and real sleeps. A job that returns from there while a thread
///   drives is counted in ``strays``. From then on, the order depends on more than the seed. A task that runs elsewhere
///   and calls the same actors disturbs the order too.
/// - Cancellation: Cancelling a task has no effect on its job, which runs in its turn.
/// - Lifetime: A job that never runs keeps its task, and everything that the task holds, alive forever.
public final class SeededExecutor: TaskExecutor {
    /// The seed that determines the order of the jobs.
    public let seed: UInt64

    private let pool: Lock<JobPool>
    /// The number of jobs after which ``rest()`` gives up.
    private let jobLimit: Int
    private let hasGivenUp = Atomic(false)
    private let hasReportedEndlessness = Atomic(false)

    /// Creates an executor without jobs.
    ///
    /// - Parameter seed: Determines the order of the jobs.
    public convenience init(seed: UInt64) {
        self.init(seed: seed, jobLimit: .max)
    }

    /// Creates an executor whose ``rest()`` gives up if the jobs have no end. From then on, it returns at once.
    ///
    /// - Parameters:
    ///   - seed: Determines the order of the jobs.
    ///   - jobLimit: The number of jobs in one call after which they are considered endless.
    init(seed: UInt64, jobLimit: Int) {
        self.seed = seed
        self.jobLimit = jobLimit
        pool = Lock(JobPool(seed: seed))
    }

    /// Creates an executor whose driver chooses among the waiting jobs, with ``run(at:)``.
    ///
    /// - Parameter seed: Serves only as a name.
    init(chosenBySeed seed: UInt64) {
        self.seed = seed
        jobLimit = .max
        pool = Lock(JobPool(seed: nil))
    }

    /// One choice among the waiting jobs.
    package struct Choice: Sendable, Hashable {
        /// The index of the job that was chosen.
        package let index: Int

        /// The number of jobs to choose from.
        package let count: Int
    }

    /// Every choice so far: the trace by which two runs can be compared.
    package var choices: [Choice] { pool.withLock { $0.choices } }

    /// The number of jobs that another thread enqueued while one was driving, from work that had left this executor.
    public var strays: Int { pool.withLock { $0.strays } }

    /// Whether no job is waiting.
    ///
    /// A job that is running may still enqueue others.
    public var isDry: Bool { pool.withLock { $0.isDry } }

    /// Enqueues a job to run in its turn.
    ///
    /// The runtime calls this, from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = CurrentThread.identity
        let arrivals: [JobPool.Arrival]? = pool.withLock { pool in
            pool.isRetired ? nil : pool.add(job, from: thread)
        }
        guard let arrivals else { return globalConcurrentExecutor.enqueue(job) }
        for arrival in arrivals { arrival.continuation.resume() }
    }

    /// Names a thread that may add jobs because the driving thread is waiting for it; nil at the end.
    func lend(to thread: UInt?) {
        pool.withLock { $0.guest = thread }
    }

    /// Hands all later jobs to the global pool, because nothing will drive this executor again.
    ///
    /// Jobs that are waiting now never run: they may belong to work that never ends.
    func retire() {
        pool.withLock { $0.isRetired = true }
    }
}

// MARK: - Driving

extension SeededExecutor {
    /// Runs jobs, one at a time, until none is left.
    ///
    /// The tasks that await ``rest()`` are then resumed one at a time, each once the work of the previous one has come
    /// to rest.
    ///
    /// - Parameter limit: The maximum number of jobs to run, for work that never ends. Afterwards, ``isDry`` is false
    ///   if jobs are left.
    /// - Returns: The number of jobs that have run: 0 if another thread drives, or if a job of this executor made the
    ///   call.
    @discardableResult
    public func drain(limit: Int = .max) -> Int {
        drive { run(limit) } ?? 0
    }

    /// Waits until no job is left, driving the executor if no other thread does.
    ///
    /// A job of this executor may await it too. It continues when all other jobs have come to rest. If several tasks
    /// wait, they continue one at a time, in order of arrival, each once the work of the previous one has come to rest.
    /// This suits a ``ManualClock``: `ManualClock { await executor.rest() }`.
    ///
    /// Cancelling the waiting task doesn't end the wait.
    public func rest() async {
        var hasRested = false
        while !hasRested, !isEndless {
            if let count = drive({ run(jobLimit) }) {
                if count == jobLimit, !isDry { hasGivenUp.store(true, ordering: .releasing) }
                return
            }
            hasRested = await withCheckedContinuation { continuation in
                if let refused = pool.withLock({ $0.rest(continuation) }) { refused.resume(returning: false) }
            }
        }
    }

    /// Waits until there is a job to run.
    ///
    /// Together with ``rest()``, it waits for work that has left this executor. The wait ends early if the waiting task
    /// is cancelled.
    public func arrival() async {
        let id = pool.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let arrival = JobPool.Arrival(id: id, continuation: continuation)
                // The cancellation flag is set before the handler below runs, and it is read under the lock that the
                // handler takes. A handler that runs too early to find this wait has therefore left the flag set.
                let answered = pool.withLock { $0.await(arrival, isCancelled: Task.isCancelled) }
                answered?.continuation.resume()
            }
        } onCancel: {
            pool.withLock { $0.cancel(id) }?.continuation.resume()
        }
    }

    /// Makes the calling thread the driver for as long as the body runs, including the time between drains.
    ///
    /// Every job that another thread enqueues in the meantime counts as a stray.
    ///
    /// - Parameter body: The work to do while driving: start tasks, drain, move a clock.
    /// - Returns: The body's result, or nil if it didn't run because another thread drives or because a job of this
    ///   executor made the call.
    package func drive<Result>(_ body: () -> Result) -> Result? {
        let thread = CurrentThread.identity
        switch pool.withLock({ $0.takeOver(thread) }) {
        case .refused: return nil
        case .nested: return body()
        case .outermost:
            defer {
                let resting = pool.withLock { $0.leave() }
                for waiting in resting { waiting.resume(returning: false) }
            }
            return body()
        }
    }

    /// Whether the jobs have no end, so that ``rest()`` has given up.
    var isEndless: Bool { hasGivenUp.load(ordering: .acquiring) }

    /// Whether the jobs have no end, and no earlier call has reported this.
    func takeEndlessness() -> Bool {
        isEndless && !hasReportedEndlessness.exchange(true, ordering: .relaxed)
    }

    /// The number of waiting jobs.
    var jobCount: Int { pool.withLock { $0.jobCount } }

    /// The tasks of the waiting jobs, in order of arrival.
    var tasks: [UInt64] { pool.withLock { $0.tasks } }

    /// Runs one job. The calling thread must drive the executor.
    ///
    /// - Parameter index: The index of the job in order of arrival.
    func run(at index: Int) {
        guard case .run(let job) = pool.withLock({ $0.next(at: index) }) else { return }
        job.runSynchronously(on: asUnownedTaskExecutor())
        pool.withLock { $0.finishJob() }
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
