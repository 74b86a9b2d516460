import Synchronization

/// On whose behalf a call is made, a run's or nobody's, and in which scope.
struct Origin: Sendable {
    /// The run, or 0.
    let run: RunID

    /// The run, if the call was made through its own context.
    ///
    /// A context acts on behalf of its run forever: once the run has ended, it can't write any more. A store or a
    /// dispatcher used inside a run's task acts on behalf of the run only as long as the run lasts.
    let handle: RunHandle?

    /// The scope in which the call is made; nil for the root.
    let scope: ScopeAddress?

    static let outside = Origin(run: 0, handle: nil, scope: nil)

    private init(run: RunID, handle: RunHandle?, scope: ScopeAddress?) {
        self.run = run
        self.handle = handle
        self.scope = scope
    }

    /// A call through the context of a run.
    init(_ handle: RunHandle) {
        self.init(run: handle.record.id, handle: handle, scope: handle.scope)
    }

    /// A call on nobody's behalf.
    init(in scope: ScopeAddress?) {
        self.init(run: 0, handle: nil, scope: scope)
    }

    /// A call through a store, a scope, or a dispatcher, made by the current task.
    static func current(in core: Core, _ scope: ScopeAddress?) -> Origin {
        Origin(taskOf: CurrentRun.handle(in: core), in: scope)
    }

    /// A call through a store, a scope, or a dispatcher, made by the task of a run, or of none.
    init(taskOf handle: RunHandle?, in scope: ScopeAddress?) {
        self.init(run: handle?.record.id ?? 0, handle: nil, scope: scope)
    }
}

/// The run that the current task belongs to.
enum CurrentRun {
    /// Inherited by child tasks and by `Task {}`, but not by detached tasks. Nil while the store executes user code.
    @TaskLocal static var handle: RunHandle?

    /// The run of any core whose task this is.
    static var inAnyStore: RunHandle? { mayExist ? handle : nil }

    /// The run of a core whose task this is.
    static func handle(in core: Core) -> RunHandle? { inAnyStore.flatMap { handle($0, in: core) } }

    /// The run whose task this is, if it is one of a core.
    static func handle(_ handle: RunHandle, in core: Core) -> RunHandle? {
        guard handle.core === core else { return nil }
        // User code that is executed inside the store acts on nobody's behalf, whichever task it is executed on.
        return core.executor.isOccupiedByCurrentThread ? nil : handle
    }

    /// The run of a core that can't end before the current task does; 0 if there is none.
    ///
    /// This is the run whose task this is, even if the call is made through the context of another one.
    static func waiter(in core: Core) -> RunID {
        guard let handle = handle(in: core), handle.awaitsCurrentTask else { return 0 }
        return handle.record.id
    }

    /// Whether the current task is a run's, of any store.
    static var isPresent: Bool { mayExist && handle != nil }

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
