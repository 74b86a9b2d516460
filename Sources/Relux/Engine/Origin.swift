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
        Origin(taskOf: CurrentRun.identity(in: core), in: scope)
    }

    /// A call through a store, a scope, or a dispatcher, made by the task of a run, or of none.
    init(taskOf run: RunIdentity, in scope: ScopeAddress?) {
        self.init(run: run.run, handle: nil, scope: scope)
    }
}
