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
    let isInRun: Bool

    /// The current task's call through the context of a run, or through a store, a scope, or a dispatcher.
    ///
    /// - Parameter store: The store; nil for a call that is made on nobody's behalf.
    init(_ context: (any ActingRun)? = nil, in scope: ScopeAddress?, of store: Core?) {
        let current = CurrentRun.identity
        let ownRun = current.core == store?.number ? current.run : 0
        (self.context, self.scope, run) = (context, scope, context?.id ?? ownRun)
        waiter = ownRun != 0 && current.awaitsCurrentTask ? ownRun : 0
        isInRun = current.run != 0
    }

    /// A call of the store itself.
    static var outside: Caller { nobody(in: nil) }

    static func nobody(in scope: ScopeAddress?) -> Caller { Caller(in: scope, of: nil) }
}

/// A run as the calls through its context carry it.
protocol ActingRun: AnyObject, Sendable {
    var id: RunID { get }
    var record: Relux.RunRecord { get }
    /// Tells the run's instance from later ones with the same id; 0 for the root.
    var scopeSerial: UInt64 { get }
}
