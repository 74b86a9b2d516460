import Synchronization

/// On whose behalf a call is made: a run's, or nobody's.
struct Origin: Sendable {
    /// The run, or 0.
    let run: RunID

    /// The run, if the call was made through its own context.
    ///
    /// A context acts on behalf of its run forever: once the run has ended, it can't write any more. A store or a
    /// dispatcher used inside a run's task acts on behalf of the run only as long as the run lasts.
    let handle: RunHandle?

    /// Whether the calling task is a run's, of this store or another one.
    ///
    /// User code that the store executes on such a task must not act on behalf of that run.
    let isRunTask: Bool

    /// Whether the run can't end before the calling task does, because that is its own task or a child of it.
    let isAwaitedByRun: Bool

    static let outside = Origin(run: 0, handle: nil, isRunTask: false, isAwaitedByRun: false)

    private init(run: RunID, handle: RunHandle?, isRunTask: Bool, isAwaitedByRun: Bool) {
        self.run = run
        self.handle = handle
        self.isRunTask = isRunTask
        self.isAwaitedByRun = isAwaitedByRun
    }

    /// A call through the context of a run.
    init(_ handle: RunHandle) {
        self.init(
            run: handle.record.id, handle: handle, isRunTask: true, isAwaitedByRun: handle.awaitsCurrentTask
        )
    }

    /// A call through a store or a dispatcher, made by the current task.
    static func current(in core: Core) -> Origin {
        guard CurrentRun.mayExist, let current = CurrentRun.handle else { return .outside }
        // User code that is executed inside the store acts on nobody's behalf, whichever task it is executed on.
        guard current.core === core, !core.executor.isOccupiedByCurrentThread else {
            return Origin(run: 0, handle: nil, isRunTask: true, isAwaitedByRun: false)
        }
        return Origin(
            run: current.record.id, handle: nil, isRunTask: true, isAwaitedByRun: current.awaitsCurrentTask
        )
    }
}

/// The run that the current task belongs to.
enum CurrentRun {
    /// Inherited by child tasks and by `Task {}`, but not by detached tasks. Nil while the store executes user code.
    @TaskLocal static var handle: RunHandle?

    private static let hasExisted = Atomic(false)

    /// Whether there has ever been a run in this process. If not, no task needs to be looked up, which costs a third of
    /// a dispatch.
    @inline(__always)
    static var mayExist: Bool { hasExisted.load(ordering: .relaxed) }

    /// Called by each run before its task exists.
    static func noteExistence() {
        if !mayExist { hasExisted.store(true, ordering: .relaxed) }
    }
}
