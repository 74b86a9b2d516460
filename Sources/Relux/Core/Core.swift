/// Everything that a store knows and does, isolated to nothing itself.
///
/// It is a plain class so that its hot paths are plain calls. The ``Engine`` holds it, and every method runs under its
/// ``AsyncLock``: one at a time, never suspended, so that a call sees no state of another one half done. Code of the
/// store's users that runs in here (reducers, middleware, observers, selections, policies) is synchronous and has no
/// way back in.
///
/// The roles stand in files of their own: `+Dispatch` lets actions in, `+Steps` takes them through reducers, observers
/// and sagas, `+Routes` finds their ways, `+Runs` executes what the ``RunTable`` decides, `+Waiting` serves those who
/// await it, `+Modules` connects features, `+Reading` serves readers, `+Lifecycle` resets and ends.
final class Core {
    /// How much a store still does.
    enum Phase {
        case open
        case shutDown
        case released
    }

    // unowned(unsafe): the engine sets it before anybody can reach the core, holds the core and lives longer.
    @exclusivity(unchecked) unowned(unsafe) var engine: Engine!
    let mailbox: Mailbox
    let clock: StoreClock
    let middleware: [any Relux.Middleware]
    let observers: [any Relux.StoreObserver]
    /// Those of the observers that look at the states too.
    let stateObservers: [any StateObserver]
    private(set) var givenStates: [ObjectIdentifier: any Relux.State]

    var phase = Phase.open

    /// Whether an action that concerns nothing but reducers may take the short way.
    // exclusivity(unchecked), here and below: the core is never entered twice at a time.
    @exclusivity(unchecked) var isQuick: Bool
    /// Whether what is being done was posted, so that the present task is not the one that asked for it.
    @exclusivity(unchecked) var isCollecting = false

    @exclusivity(unchecked) var sequence: UInt64 = 0
    // Unmanaged: `routeOwner` holds every route that stands here, and both are changed together.
    @exclusivity(unchecked) var routes = NumberMap<Unmanaged<AnyRoute>>()
    var routeOwner = NumberMap<AnyRoute>()

    @exclusivity(unchecked) var slots = NumberMap<AnySlot>()
    /// Readers of states that no module owns yet, in the order of their coming.
    var awaitingStates = SignalList<ObjectIdentifier>()
    /// The number of the last slot, from which the versions of the next one start.
    var lastSlot: UInt64 = 0
    var lastRoute: UInt64 = 0

    var modules = ModuleTable()
    @exclusivity(unchecked) var table = RunTable()
    @exclusivity(unchecked) var entries = NumberMap<RunEntry>()
    @exclusivity(unchecked) var completions = NumberMap<Completion>()
    @exclusivity(unchecked) var lastRun: RunTable.RunID = 0
    var lastResponder: RunTable.ResponderID = 0
    /// What cancelled runs have to tidy up, in the present step.
    @exclusivity(unchecked) var tidying = Queue<(action: any Relux.Action, run: RunHandle)>()
    /// What whoever performs has to begin, in the present step.
    @exclusivity(unchecked) var beginning: Beginning?
    @exclusivity(unchecked) var idlers: [Signal] = []
    var failureStreams: [StreamBuffer<Relux.FailureRecord>] = []

    init(_ configuration: Relux.StoreConfiguration, mailbox: Mailbox, clock: StoreClock) {
        self.mailbox = mailbox
        self.clock = clock
        middleware = configuration.middleware
        observers = configuration.observers
        stateObservers = configuration.observers.compactMap { $0 as? any StateObserver }
        givenStates = Dictionary(
            configuration.states.map { (ObjectIdentifier(type(of: $0)), $0) },
            uniquingKeysWith: { _, last in last }
        )
        isQuick = configuration.middleware.isEmpty && configuration.observers.isEmpty
    }

    /// Drops the states that were given for modules to come.
    func dropGivenStates() {
        givenStates = [:]
    }

    /// Does what has been posted, in its order.
    func collect(isCollection: Bool = false) {
        guard isCollection || mailbox.isOccupied else { return }
        isCollecting = true
        defer {
            isCollecting = false
            wakeIdlers()
        }
        mailbox.takeAll(isCollection: isCollection) { deliver($0.action, by: $0.speaker, at: $0.site) }
    }

    private func deliver<A: Relux.Action>(_ action: A, by speaker: Speaker, at site: Relux.CallSite) {
        if A.self == Mailbox.Order.self, let order = action as? Mailbox.Order {
            order.body(self)
        } else {
            take(action, by: speaker, at: site)
        }
    }

    /// Who speaks: the run of a context, or whoever's task this is.
    func speaker(_ handle: RunHandle? = nil) -> Speaker {
        if let handle { return Speaker(handle) }
        // Where there are no runs the task can't be the one of a run, and needn't be asked.
        return entries.isEmpty ? .outside : Speaker.ofCurrentTask(in: engine)
    }

    /// Tells the observers of a refusal.
    func report(_ reason: Relux.Refusal.Reason, action: (any Relux.Action)? = nil, at site: Relux.CallSite?) {
        guard !observers.isEmpty else { return }
        let refusal = Relux.Refusal(reason: reason, action: action, callSite: site, time: clock.now())
        tell { observer in observer.refused(refusal) }
    }

    /// Calls every observer, if there is one.
    func tell(_ body: (any Relux.StoreObserver) -> Void) {
        for observer in observers { body(observer) }
    }
}
