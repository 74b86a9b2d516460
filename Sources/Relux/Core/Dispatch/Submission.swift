/// How an action arrives.
///
/// Not copyable, because each copy would retain everything in it.
struct Submission: ~Copyable {
    let origin: Origin
    /// Where the action was dispatched.
    let scope: ScopeNode
    let site: Relux.CallSite
    /// The output that `perform` promises; nil for all other verbs.
    var output: Any.Type?
    /// The run whose task awaits what is performed; 0 if there is none.
    var waiter: RunID = 0
    /// The nesting depth of a run that the performing task starts inline; 0 if runs start on the pool.
    var depth = 0
    /// Whether the caller awaits what the action triggers, although it doesn't perform it.
    var isAwaited = false
    /// The cancelled run after which this action of the store's own cleans up.
    var cause: RunHandle?

    init(
        _ origin: Origin, in scope: ScopeNode, at site: Relux.CallSite, output: Any.Type? = nil, waiter: RunID = 0,
        depth: Int = 0, isAwaited: Bool = false, cause: RunHandle? = nil
    ) {
        self.origin = origin
        self.scope = scope
        self.site = site
        self.output = output
        self.waiter = waiter
        self.depth = depth
        self.isAwaited = isAwaited
        self.cause = cause
    }
}

/// What became of an action, or of those of a batch: the most serious.
struct DispatchResult: Sendable {
    enum Disposition: Sendable {
        case reduced
        case unhandled
        case dropped
        case refused
        // Indirect: it is rare, and would make every receipt larger.
        indirect case noInstance(Relux.Scope)
        case storeShutDown
    }

    var sequence: UInt64?
    var disposition = Disposition.reduced
    /// The end of what was triggered; nil if nothing was.
    var completion: Completion?

    /// Notes that a saga can't start, unless something more serious has happened.
    mutating func noteRefused() {
        if case .reduced = disposition { disposition = .refused }
    }
}
