import Synchronization

/// Everything that a store knows and does.
///
/// An actor with an executor of its own, which a caller may occupy on its own thread (see ``StoreExecutor``). No method
/// suspends, so a call never sees another one half done. User code that runs in here (reducers, middleware, observers,
/// selections, policies) is synchronous and can't call back in.
///
/// The core only connects its parts: the scopes with their routes, states, and modules, the runs, and the reporter.
/// `README.md` in this folder shows the way of an action through them.
actor Core {
    /// How much a store still does.
    enum Phase {
        case open
        case shutDown
        case released
    }

    // MARK: Outside

    /// Unique in the process, and never 0.
    nonisolated let number = Core.lastNumber.add(1, ordering: .relaxed).newValue
    private static let lastNumber = Atomic<UInt64>(0)
    nonisolated let executor: StoreExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let mailbox = Mailbox()
    nonisolated let clock: StoreClock
    /// The task executor of the configuration.
    nonisolated let carrier: (any TaskExecutor)?
    /// The seed of the jitter of retries.
    nonisolated let randomSeed: UInt64
    nonisolated let yields = YieldSchedule()
    /// Whether actions that are addressed to instances are taken where they are dispatched.
    nonisolated let takesAddressedActions: Bool

    // MARK: Inside

    private(set) var phase: Phase
    private(set) var middleware: [any Relux.Middleware]
    /// Whether the store is open and has no middleware, so that an action may take the fast path.
    // exclusivity(unchecked), here and below: no two calls into the core overlap, and no access spans a call of user
    // code. The checks would cost a tenth of a dispatch.
    @exclusivity(unchecked) private(set) var allowsFastPath: Bool
    /// The number of the last action.
    @exclusivity(unchecked) var sequence: UInt64 = 0

    /// The scope of everything that is no instance, around all instances.
    let root = ScopeNode()
    let reporter: Reporter
    let runs: RunRegistry
    /// The readers of states and instances that don't exist, in order of arrival, by the type that is missing.
    @exclusivity(unchecked) var awaited = WaiterList<ObjectIdentifier>()
    /// Instances that follow a state and are being added, those of the innermost scope last.
    var unfinishedChildren: [AnyChildrenBinding] = []
    /// The states of the configuration whose types have not been registered yet.
    private(set) var givenStates: [ObjectIdentifier: any Relux.State]
    /// The last number that was given to a saga, a cell, a module, a lease, or a group of instances.
    private var lastSerial: UInt64 = 0
    /// The number of performs so far.
    @exclusivity(unchecked) var performCount: UInt64 = 0
    /// The body of the run that the performing task must start inline, between its admission and the end of `perform`.
    @exclusivity(unchecked) var inlineStart: TaskBody<Void>?
    /// Whether posted mail is being delivered, so that the current task is not the one that caused it.
    @exclusivity(unchecked) var isDeliveringMail = false

    init(_ configuration: Relux.StoreConfiguration, phase: Phase = .open) {
        self.phase = phase
        executor = StoreExecutor(carrier: configuration.executor)
        carrier = configuration.executor
        clock = StoreClock(configuration.clock)
        randomSeed = configuration.randomSeed ?? UInt64.random(in: .min ... .max)
        takesAddressedActions = configuration.takesAddressedActions
        middleware = configuration.middleware
        reporter = Reporter(configuration.observers, clock)
        runs = RunRegistry(reporter, clock)
        givenStates = Dictionary(
            configuration.states.map { (ObjectIdentifier(type(of: $0)), $0) },
            uniquingKeysWith: { _, last in last }
        )
        allowsFastPath = phase == .open && configuration.middleware.isEmpty
    }

    /// The core of ``Relux/Dispatcher/none``, which refuses everything.
    static let closed = Core(Relux.StoreConfiguration(), phase: .shutDown)

    /// A number that is higher than all before. Never 0.
    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// The value that a state starts with when its type is first registered, if the configuration has one.
    func takeGivenState(of state: any Relux.State.Type) -> (any Relux.State)? {
        givenStates.isEmpty ? nil : givenStates.removeValue(forKey: ObjectIdentifier(state))
    }

    // MARK: Phases

    /// Stops taking actions.
    func close(as phase: Phase) {
        self.phase = phase
        allowsFastPath = false
        givenStates = [:]
    }

    /// Releases user code, which may hold a dispatcher and therefore this core, if there is nothing left to report.
    func releaseUserCodeIfDone() {
        guard phase == .released, runs.isEmpty else { return }
        middleware = []
        reporter.releaseObservers()
    }
}
