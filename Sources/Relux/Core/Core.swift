import Synchronization

/// How much a store still does.
enum StorePhase {
    case open
    case shutDown
    case released
}

/// What a visit has left to do at its end. Usually nothing.
struct Leftovers {
    /// The `actionOnCancel` of cancelled runs that is still to be reduced.
    var cleanups = ArrivalList<(action: any Relux.Action, run: RunHandle)>()
    /// The tasks that are to be cancelled when the caller has left: their cancellation handlers are user code, which is
    /// not executed inside the store.
    var cancellations: [Task<Void, Never>] = []
    /// Whether something was touched that followers read, and of which their host doesn't know yet.
    var hasTouchedFollowers = false
    /// What saves the states to which something has happened.
    var savings: [Saving] = []
    /// Whether every visit must check if the store has come to rest: callers may be waiting for that, or the store was
    /// released.
    var awaitsRest = false

    var isEmpty: Bool {
        cleanups.isEmpty && cancellations.isEmpty && !hasTouchedFollowers && savings.isEmpty && !awaitsRest
    }
}

/// Everything that a store knows and does.
///
/// An actor with an executor of its own, which a caller may occupy on its own thread (see ``StoreExecutor``). No method
/// suspends, so a call never sees another one half done. User code that runs in here (reducers, middleware, observers,
/// selections, policies) is synchronous and can't call back in.
///
/// The core only connects its parts: the scopes with their routes, states, and modules, the runs, the readers, and the
/// reporter. `README.md` in this folder shows the path of an action through them.
actor Core {
    // MARK: Outside

    /// Unique in the process, and never 0.
    nonisolated let number = Core.lastNumber.add(1, ordering: .relaxed).newValue
    private static let lastNumber = Atomic<UInt64>(0)
    nonisolated let executor: StoreExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let mailbox = Mailbox<Mail>()
    nonisolated let clock: StoreClock
    /// The task executor of the configuration.
    nonisolated let carrier: (any TaskExecutor)?
    /// Wraps the body of each run in its own task.
    nonisolated let aroundRun: Lock<Relux.RunWrapper?>
    /// The seed of the jitter of retries.
    nonisolated let randomSeed: UInt64
    nonisolated let followerHost = Lock(FollowerHostLink())
    /// Where the values of followers are shown.
    nonisolated let mainActor: MainActorContext
    /// Whether actions that are addressed to instances are taken where they are dispatched.
    nonisolated let takesAddressedActions: Bool
    /// Whether states are neither loaded nor saved.
    nonisolated let ignoresPersistence: Bool

    // MARK: Inside

    var phase: StorePhase
    private(set) var middleware: [any Relux.Middleware]
    /// The number of the last action.
    var sequence: UInt64 = 0
    /// The scope of everything that is no instance, around all instances.
    let root = ScopeNode()
    let reporter: Reporter
    var runs = RunTable()
    /// The followers whose sources were touched since they were brought up to date.
    var touchedFollowers: [AnyFollower] = []
    /// What ends the subscriptions of streams.
    var subscriptions: [ObjectIdentifier: [() -> Void]] = [:]
    /// What watchers listen to, by their runs.
    var inboxes: [RunID: WatcherInbox] = [:]
    var leftovers = Leftovers() { didSet { isSettled = leftovers.isEmpty } }
    /// Whether nothing is left to do. Stored, because every visit asks.
    private(set) var isSettled = true
    /// What loads and saves states.
    var savings = SavingTable()
    /// Instances that follow a state and are being added, those of the innermost scope last.
    var unfinishedChildren: [any AnyChildrenBinding] = []
    /// The states of the configuration whose types have not been registered yet.
    var givenStates: [ObjectIdentifier: any Relux.State]
    /// The last number that was given to a saga, a module, a lease, or a binding of children.
    private var lastSerial: UInt64 = 0
    /// The run that makes the present step; 0 if none does. If the step closes its instance, it keeps its result.
    var actingRun: RunID = 0
    /// Whether posted mail is being delivered, so that the current task is not the one that caused it.
    var isDeliveringMail = false

    init(_ configuration: Relux.StoreConfiguration, phase: StorePhase = .open) {
        self.phase = phase
        executor = StoreExecutor(carrier: configuration.executor)
        carrier = configuration.executor
        aroundRun = Lock(configuration.aroundRun)
        clock = StoreClock(configuration.clock)
        randomSeed = configuration.randomSeed ?? UInt64.random(in: .min ... .max)
        takesAddressedActions = configuration.takesAddressedActions
        mainActor = configuration.mainActor
        ignoresPersistence = configuration.ignoresPersistence
        middleware = configuration.middleware
        reporter = Reporter(configuration.observers, clock)
        givenStates = Dictionary(
            configuration.states.map { (ObjectIdentifier(type(of: $0)), $0) },
            uniquingKeysWith: { _, last in last }
        )
    }

    /// The core of ``Relux/Dispatcher/none``, which refuses everything.
    static let closed = Core(Relux.StoreConfiguration(), phase: .shutDown)

    /// A number that is higher than all before. Never 0.
    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    // MARK: The end

    /// Releases user code, which may hold a dispatcher and therefore this core, if there is nothing left to report.
    func releaseUserCodeIfDone() {
        guard phase == .released, runs.runs.isEmpty, savings.all.isEmpty else { return }
        middleware = []
        _ = aroundRun.withLock { $0.take() }
        reporter.releaseObservers()
    }
}
