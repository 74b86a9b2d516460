import Synchronization

/// What a task knows about the run that it belongs to.
///
/// Plain bits, and no reference to the run: the runtime copies a task-local value by way of its metadata each time that
/// the value is read, set, or inherited. It also keeps no run alive in a task that the run leaves behind.
struct RunIdentity: Sendable {
    /// The number of the core, which no other core in the process has; 0 if there is no run.
    let core: UInt64
    /// The run, or 0.
    let run: RunID
    /// ``RunHandle/depth``.
    let depth: Int
    /// ``RunHandle/marksChildTasks``.
    let marksChildTasks: Bool

    static var none: RunIdentity { RunIdentity(core: 0, run: 0, depth: 0, marksChildTasks: false) }

    /// The run, if it is one of a core and the current task can't end after it; otherwise 0.
    var waiter: RunID { run != 0 && awaitsCurrentTask ? run : 0 }

    /// Whether the current task is the run's own or a child of it, as far as can be told.
    ///
    /// A run that marks its child tasks knows: child tasks inherit the preference for an executor, and the tasks that
    /// `Task {}` creates don't. For any other run, each task that inherited its task-local values counts.
    private var awaitsCurrentTask: Bool {
        !marksChildTasks || withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
    }
}

/// The run that the current task belongs to.
enum CurrentRun {
    /// Inherited by child tasks and by `Task {}`, but not by detached tasks. None while the store executes user code.
    @TaskLocal static var identity = RunIdentity.none

    /// The run of any core whose task this is.
    static var inAnyStore: RunIdentity { mayExist ? identity : .none }

    /// The run of a core whose task this is.
    static func identity(in core: Core) -> RunIdentity { self.identity(inAnyStore, in: core) }

    /// The run whose task this is, if it is one of a core.
    static func identity(_ identity: RunIdentity, in core: Core) -> RunIdentity {
        guard identity.core == core.number else { return .none }
        // User code that is executed inside the store acts on nobody's behalf, whichever task it is executed on.
        return core.executor.isOccupiedByCurrentThread ? .none : identity
    }

    /// The run of a core that can't end before the current task does; 0 if there is none.
    ///
    /// This is the run whose task this is, even if the call is made through the context of another one.
    static func waiter(in core: Core) -> RunID { identity(in: core).waiter }

    /// Whether the current task is a run's, of any store.
    static var isPresent: Bool { mayExist && identity.run != 0 }

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
