import Synchronization

/// The serial executor of a ``Core``, which a caller may occupy on its own thread.
///
/// An uncontended call costs two atomic operations instead of two switches of executor. An awaited call that finds the
/// executor occupied becomes an ordinary job; a synchronous one blocks its thread, after a moment of spinning. The
/// executor is handed over only to a blocked thread, which can't do anything else meanwhile. For jobs, a caller that
/// leaves unlocks, and one drain on the pool runs all of them. A busy executor elsewhere can therefore never hold up
/// the store.
///
/// - Isolation: Any thread.
/// - Ordering: That of the ``JobLine``. While something waits in it, no caller gets in ahead.
/// - Priorities: A job that waits raises the drain to its own priority. A blocked thread doesn't raise the priority of
///   the thread that is inside; the system's scheduler alone decides how soon that one leaves.
/// - Task executors: With a task executor, drains are enqueued on it, and tasks that prefer an executor never enter on
///   their own thread, except by synchronous verbs. That executor alone then decides in which order its tasks get in,
///   so a seeded one reproduces an order.
final class StoreExecutor: SerialExecutor {
    /// A thread is inside, or is about to be.
    private static let occupied: UInt8 = 1
    /// Something waits in the line, so a caller that leaves must see to it.
    private static let awaited: UInt8 = 2

    /// How often a caller tries again before it waits in the line: about as long as a short visit takes on another
    /// processor, including the transfer of its cache lines.
    private static let attempts = 500

    private let state = Atomic<UInt8>(0)
    private let line = Lock(JobLine())
    /// Runs the drains; nil for the global pool.
    let carrier: (any TaskExecutor)?

    init(carrier: (any TaskExecutor)?) {
        self.carrier = carrier
    }

    // MARK: Callers

    /// Occupies the executor if the caller is nonisolated, no task executor decides, and it is free without anything
    /// waiting.
    ///
    /// - Returns: Whether it did. The caller must then call ``leave()`` on the same thread, without suspending.
    func tryOccupy(from isolation: (any Actor)?) -> Bool {
        isolation == nil && (carrier == nil || !Self.taskPrefersExecutor) && CurrentThread.mark == 0 && tryOccupy()
    }

    /// Occupies the executor, and blocks the calling thread until that is possible. Then runs the jobs that were in
    /// the line before.
    ///
    /// - Returns: Whether it did. If the thread is inside a store, it did nothing. Otherwise, the caller must call
    ///   ``leave()`` on the same thread.
    func occupy() -> Bool {
        guard CurrentThread.mark == 0 else { return false }
        if tryOccupy() { return true }
        let (thread, lastJob): (ThreadBlocker?, UInt64) = line.withLock { line in
            let before = state.bitwiseOr(Self.awaited, ordering: .sequentiallyConsistent).oldValue
            if before & Self.occupied != 0 { return (line.appendThread(), line.lastJob) }
            // From here on, only those who hold the lock can occupy the executor.
            state.store(Self.occupied | Self.awaited, ordering: .sequentiallyConsistent)
            return (nil, line.lastJob)
        }
        thread?.wait()
        CurrentThread.mark = mark
        let executor = asUnownedSerialExecutor()
        while let job = line.withLock({ $0.popJob(upTo: lastJob) }) { job.runSynchronously(on: executor) }
        return true
    }

    /// Occupies the executor for a thread that is inside no store, if it is free without anything waiting.
    private func tryOccupy() -> Bool {
        for _ in 0..<Self.attempts {
            switch state.load(ordering: .relaxed) {
            case 0:
                if state.compareExchange(expected: 0, desired: Self.occupied, ordering: .acquiring).exchanged {
                    CurrentThread.mark = mark
                    return true
                }
            case Self.occupied: continue
            // Anything that waits in the line goes first.
            default: return false
            }
        }
        return false
    }

    /// Whether the current task prefers an executor.
    // Unsafe task: only asked for its executor, inside the closure.
    static var taskPrefersExecutor: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }

    /// Frees the executor.
    func leave() {
        CurrentThread.mark = 0
        if state.compareExchange(expected: Self.occupied, desired: 0, ordering: .releasing).exchanged { return }
        leaveToLine()
    }

    /// Hands the executor to a blocked thread, or frees it and sees to the jobs in the line.
    private func leaveToLine() {
        let (thread, drain): (ThreadBlocker?, UInt8?) = line.withLock { line in
            // A blocked thread inherits the occupation.
            if let thread = line.popThread() { return (thread, nil) }
            state.store(line.isEmpty ? 0 : Self.awaited, ordering: .sequentiallyConsistent)
            return (nil, line.requestDrain())
        }
        thread?.signal()
        if let drain { startDrain(drain) }
    }

    /// The mark of a thread that is inside.
    private var mark: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

    /// Whether the calling thread is inside this store.
    var isOccupiedByCurrentThread: Bool { CurrentThread.mark == mark }

    /// Whether the calling thread is inside any store.
    static var currentThreadIsInside: Bool { CurrentThread.mark != 0 }

    // MARK: Jobs

    func enqueue(_ job: consuming ExecutorJob) {
        let priority = job.priority.rawValue
        let job = UnownedJob(job)
        let drain: UInt8? = line.withLock { line in
            line.append(job, priority: priority)
            let before = state.bitwiseOr(Self.awaited, ordering: .sequentiallyConsistent).oldValue
            // The thread that is inside sees the flag when it leaves.
            return before & Self.occupied == 0 ? line.requestDrain() : nil
        }
        if let drain { startDrain(drain) }
    }

    private func startDrain(_ priority: UInt8) {
        // Detached: a drain inherits neither the priority nor the task-local values of the caller that happens to
        // request it.
        Task.detached(executorPreference: carrier, priority: TaskPriority(rawValue: priority)) { self.drain() }
    }

    private func drain() {
        let isInside = line.withLock { line in
            line.startDrain()
            // This fails if the jobs have been run, or if a caller is inside. That caller requests a new drain when it
            // leaves, because this one is no longer on its way.
            return state.compareExchange(
                expected: Self.awaited, desired: Self.occupied | Self.awaited, ordering: .sequentiallyConsistent
            ).exchanged
        }
        guard isInside else { return }
        // A task executor may run a drain on a thread that is inside another store.
        let outer = CurrentThread.mark
        CurrentThread.mark = mark
        let executor = asUnownedSerialExecutor()
        while let job = line.withLock({ $0.popJob() }) { job.runSynchronously(on: executor) }
        CurrentThread.mark = outer
        leaveToLine()
    }

    // MARK: Isolation checks

    /// Whether the calling thread is inside. The runtime asks this when it checks isolation dynamically, because a
    /// caller on its own thread is not one of this executor's jobs.
    func isIsolatingCurrentContext() -> Bool? { isOccupiedByCurrentThread }

    func checkIsolated() {
        // A trap is what the protocol demands. Nothing in the library asserts isolation where it doesn't hold.
        precondition(isOccupiedByCurrentThread, "The calling thread is not inside the store.")
    }
}
