/// The caller of a verb: on whose behalf it acts, where, and in whose task. Holds only ids, apart from the run of a
/// context.
struct Caller: Sendable {
    /// The run on whose behalf the call is made; 0 if it acts for nobody.
    let run: RunID

    /// The run, if the call was made through its own context.
    ///
    /// A context acts on behalf of its run forever: once the run has ended, it can't write any more. A store or a
    /// dispatcher used inside a run's task acts on behalf of the run only as long as the run lasts.
    let context: (any ActingRun)?

    /// The scope in which the call is made; nil for the root.
    let scope: ScopeAddress?

    /// The run that can't end before the current task does; 0 if there is none. This is the run whose task makes the
    /// call, even if that goes through the context of another one.
    let waiter: RunID

    /// Whether the current task is a run's, of any store.
    private(set) var isInRun: Bool

    /// The current task's call through the context of a run.
    init(_ run: some ActingRun, in scope: ScopeAddress?, of core: Core) {
        self.init(run.id, run, in: scope, CurrentRun.identity, of: core)
    }

    /// The current task's call through a store, a scope, or a dispatcher.
    init(in scope: ScopeAddress?, of core: Core) {
        let current = CurrentRun.identity
        self.init(current.isOwn(of: core) ? current.run : 0, nil, in: scope, current, of: core)
    }

    /// A call of the store itself.
    static var outside: Caller { nobody(in: nil) }

    static func nobody(in scope: ScopeAddress?) -> Caller {
        Caller(0, nil, in: scope, CurrentRun.identity, of: nil)
    }

    /// The same call, made where the current task is no run's.
    var outsideItsRun: Caller {
        var caller = self
        caller.isInRun = false
        return caller
    }

    private init(
        _ run: RunID, _ context: (any ActingRun)?, in scope: ScopeAddress?, _ current: RunIdentity, of store: Core?
    ) {
        (self.run, self.context, self.scope) = (run, context, scope)
        waiter = store.map { current.isOwn(of: $0) && current.awaitsCurrentTask } == true ? current.run : 0
        isInRun = current.run != 0
    }
}

/// A run as the calls through its context carry it.
protocol ActingRun: AnyObject, Sendable {
    var id: RunID { get }
    var record: Relux.RunRecord { get }
    /// Tells the run's instance from later ones with the same id; 0 for the root.
    var scopeSerial: UInt64 { get }
}
