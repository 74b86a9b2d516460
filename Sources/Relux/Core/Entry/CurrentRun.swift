import Synchronization

/// The number of a run, in the order in which runs were created. Never 0.
typealias RunID = UInt64

/// Tells whether a visit has anything left to do at its end. Each part notes here what it leaves.
final class Agenda {
    var isEmpty = true
    /// The tasks that are to be cancelled when the caller has left: their cancellation handlers are user code, which is
    /// not executed inside the store.
    var cancellations: [Task<Void, Never>] = [] { didSet { isEmpty = false } }
}

/// Gives numbers, each higher than all before and never 0: one gives those of runs, saves, and loads, another one those
/// of what modules list.
final class RunNumbers {
    private var last: RunID = 0

    func next() -> RunID {
        last += 1
        return last
    }
}

/// The run that a task belongs to, as the task knows it.
///
/// Plain bits, and no reference to the run: a task that the run leaves behind doesn't keep it alive.
struct RunIdentity: Sendable {
    /// The number of the core, which no other core in the process has; 0 if there is no run.
    let core: UInt64
    /// The run, or 0.
    let run: RunID
    /// ``Run/marksChildTasks``.
    let marksChildTasks: Bool

    /// The identity of a task in which a store loads or saves. It belongs to no run.
    static func noRun(of core: Core) -> RunIdentity { RunIdentity(core: core.number, run: 0, marksChildTasks: false) }

    static var none: RunIdentity { RunIdentity(core: 0, run: 0, marksChildTasks: false) }

    /// Whether the current task is the run's own or a child of it, as far as can be told.
    ///
    /// A run that marks its child tasks knows: child tasks inherit the preference for an executor, and the tasks that
    /// `Task {}` creates don't. For any other run, each task that inherited its task-local values counts.
    var awaitsCurrentTask: Bool { !marksChildTasks || StoreExecutor.taskPrefersExecutor }
}

/// The run that the current task belongs to.
enum CurrentRun {
    /// Inherited by child tasks and by `Task {}`, but not by detached tasks. None while the store executes user code.
    @TaskLocal static var inherited = RunIdentity.none

    /// The run of any store whose task this is. User code that is executed inside a store acts on nobody's behalf,
    /// whichever task it is executed on.
    static var identity: RunIdentity {
        mayExist && !StoreExecutor.currentThreadIsInside ? inherited : .none
    }

    /// Executes something on nobody's behalf.
    static func withNone<Result>(_ body: () -> Result) -> Result { $inherited.withValue(.none, operation: body) }

    private static let hasExisted = Atomic(false)

    /// Whether there has ever been a run in this process. If not, no task needs to be looked up, which costs a third of
    /// a dispatch.
    private static var mayExist: Bool { hasExisted.load(ordering: .relaxed) }

    /// Called by each run before its task exists.
    static func noteExistence() {
        if !mayExist { hasExisted.store(true, ordering: .relaxed) }
    }
}
