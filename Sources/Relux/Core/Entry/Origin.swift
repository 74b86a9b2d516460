/// On whose behalf a call is made, a run's or nobody's, in which scope, and by whose task.
struct Origin: Sendable {
    /// The run on whose behalf the call is made, or 0.
    let run: RunID

    /// The run, if the call was made through its own context.
    ///
    /// A context acts on behalf of its run forever: once the run has ended, it can't write any more. A store or a
    /// dispatcher used inside a run's task acts on behalf of the run only as long as the run lasts.
    let handle: RunHandle?

    /// The scope in which the call is made; nil for the root.
    let scope: ScopeAddress?

    /// The run that can't end before the current task does; 0 if there is none. This is the run whose task makes the
    /// call, even if that goes through the context of another one.
    let waiter: RunID

    /// Whether the current task is a run's, of any store.
    let isInRun: Bool

    /// The current task's call through the context of a run.
    init(_ handle: RunHandle) {
        self.init(handle.id, handle, in: handle.scope, CurrentRun.identity, of: handle.core)
    }

    /// The current task's call through a store, a scope, or a dispatcher.
    init(in scope: ScopeAddress?, of core: Core) {
        let current = CurrentRun.identity
        self.init(current.isOwn(of: core) ? current.run : 0, nil, in: scope, current, of: core)
    }

    /// A call on nobody's behalf, by the store itself.
    static var outside: Origin { nobody(in: nil) }

    static func nobody(in scope: ScopeAddress?) -> Origin {
        Origin(0, nil, in: scope, CurrentRun.identity, of: nil)
    }

    private init(
        _ run: RunID, _ handle: RunHandle?, in scope: ScopeAddress?, _ current: RunIdentity, of core: Core?
    ) {
        (self.run, self.handle, self.scope) = (run, handle, scope)
        waiter = core.map { current.isOwn(of: $0) && current.awaitsCurrentTask } == true ? current.run : 0
        isInRun = current.run != 0
    }
}
