import Synchronization

/// The serial executor of a ``Core``, which a caller may occupy on its own thread while it is free.
///
/// An uncontended call costs two atomic operations instead of two switches of executor. Callers that find the executor
/// occupied become ordinary jobs. The executor is never handed over to a task that is not running: a caller that leaves
/// while jobs are waiting only unlocks, and one drain on the pool runs all of them. A busy executor elsewhere can
/// therefore never hold up the store.
///
/// - Isolation: Any thread.
/// - Ordering: Jobs with a higher priority first, otherwise first come, first served. While jobs are waiting, no caller
///   gets in ahead of them.
/// - Task executors: With a task executor, drains are enqueued on it, and tasks that prefer an executor never enter on
///   their own thread. That executor alone then decides in which order its tasks get in, so a seeded one reproduces an
///   order.
final class StoreExecutor: SerialExecutor {
    /// Someone is inside: a caller or a drain.
    private static let occupied: UInt8 = 1
    /// Jobs are waiting, so a caller that leaves must see to it that they run.
    private static let awaited: UInt8 = 2

    /// How often a caller tries again before it becomes a job: about as long as a short visit takes on another
    /// processor, including the transfer of its cache lines. With 100 attempts, eight tasks took three times as long.
    private static let attempts = 500

    private let state = Atomic<UInt8>(0)
    /// The thread inside; 0 if there is none.
    private let thread = Atomic<UInt>(0)
    private let line = Lock(JobLine())
    private let carrier: (any TaskExecutor)?

    /// - Parameter carrier: Runs the drains; nil for the global pool.
    init(carrier: (any TaskExecutor)?) {
        self.carrier = carrier
    }

    // MARK: Callers

    /// Occupies the executor if the caller is nonisolated, no task executor decides, and it is free without waiting
    /// jobs.
    ///
    /// - Returns: Whether it did. The caller must then call ``leave()`` on the same thread, without suspending.
    @inline(__always)
    func tryOccupy(from isolation: (any Actor)?) -> Bool {
        guard isolation == nil, carrier == nil || !currentTaskPrefersExecutor else { return false }
        guard state.compareExchange(expected: 0, desired: Self.occupied, ordering: .acquiring).exchanged else {
            return tryOccupyRepeatedly()
        }
        thread.store(ThreadIdentity.current.value, ordering: .relaxed)
        return true
    }

    @inline(never)
    private var currentTaskPrefersExecutor: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }

    @inline(never)
    private func tryOccupyRepeatedly() -> Bool {
        for _ in 0..<Self.attempts {
            switch state.load(ordering: .relaxed) {
            case 0:
                if state.compareExchange(expected: 0, desired: Self.occupied, ordering: .acquiring).exchanged {
                    thread.store(ThreadIdentity.current.value, ordering: .relaxed)
                    return true
                }
            case Self.occupied: continue
            // Jobs are waiting, and they go first.
            default: return false
            }
        }
        return false
    }

    /// Frees the executor after ``tryOccupy(from:)``.
    @inline(__always)
    func leave() {
        thread.store(0, ordering: .relaxed)
        if state.compareExchange(expected: Self.occupied, desired: 0, ordering: .releasing).exchanged { return }
        leaveToLine()
    }

    @inline(never)
    private func leaveToLine() {
        state.store(Self.awaited, ordering: .sequentiallyConsistent)
        if let priority = line.withLock({ $0.requestDrain() }) { startDrain(priority) }
    }

    /// Whether the calling thread is inside.
    var isOccupiedByCurrentThread: Bool {
        thread.load(ordering: .relaxed) == ThreadIdentity.current.value
    }

    // MARK: Jobs

    func enqueue(_ job: consuming ExecutorJob) {
        let priority = job.priority.rawValue
        let job = UnownedJob(job)
        let drain: UInt8? = line.withLock { line in
            line.append(job, priority: priority)
            let before = state.bitwiseOr(Self.awaited, ordering: .sequentiallyConsistent).oldValue
            // The caller or drain inside sees the flag when it leaves.
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
        let both = Self.occupied | Self.awaited
        let isInside = line.withLock { line in
            line.startDrain()
            // This fails if another drain has run the jobs, or if a caller is inside. That caller requests a new drain
            // when it leaves, because this one is no longer on its way.
            return state.compareExchange(
                expected: Self.awaited, desired: both, ordering: .sequentiallyConsistent
            ).exchanged
        }
        guard isInside else { return }
        thread.store(ThreadIdentity.current.value, ordering: .relaxed)
        let executor = asUnownedSerialExecutor()
        while let job = nextJobOrUnlock() { job.runSynchronously(on: executor) }
    }

    private func nextJobOrUnlock() -> UnownedJob? {
        line.withLock { line in
            if let job = line.popFirst() { return job }
            thread.store(0, ordering: .relaxed)
            state.store(0, ordering: .sequentiallyConsistent)
            return nil
        }
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
