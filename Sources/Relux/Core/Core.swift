import Synchronization

/// The life of a store.
enum StorePhase {
    case open
    case shutDown
    case released
}

/// Everything that a store knows and does.
///
/// An actor with an executor of its own, which a caller may occupy on its own thread (see ``StoreExecutor``). No method
/// suspends, so a call never sees another one half done. User code that runs in here (reducers, middleware, observers,
/// selections, policies) is synchronous and can't call back in.
///
/// The core only connects its parts, each of which owns its state: it makes the calls of a verb in their order, and
/// carries out what they return. `README.md` in this folder shows the parts, and the path of an action through them.
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
    nonisolated var taskExecutor: (any TaskExecutor)? { executor.carrier }
    /// Wraps the body of each run in its own task.
    nonisolated let aroundRun: Lock<Relux.RunWrapper?>
    /// The seed of the jitter of retries.
    nonisolated let randomSeed: UInt64
    nonisolated let followerHost = Lock(FollowerHostLink())
    /// Where the values of followers are shown.
    nonisolated let mainActor: MainActorContext

    // MARK: The parts, from the bottom up

    let reporter: Reporter
    let tree: Tree
    let readers: Readers
    var runs = RunTable()
    let numbers = RunNumbers()
    let dispatch: ActionDispatch
    let savings: Savings
    let modules: Modules

    // MARK: The core's own

    var phase: StorePhase { didSet { agenda.isEmpty = false } }
    let agenda = Agenda()
    /// The actions that accompany runs, such as `actionOnCancel`, and that are still to be reduced, each with those to
    /// which the same event has led.
    var accompaniments = ArrivalList<(action: any Relux.Action, run: Run, chain: AccompanimentChain)>() {
        didSet { agenda.isEmpty = false }
    }
    /// Whether every visit must check if the store has come to rest: callers may be waiting for that, or the store was
    /// released.
    var awaitsRest: Bool { phase == .released || !runs.idlers.isEmpty }
    /// The bindings whose instances are being added, those of the innermost scope last.
    var unfinishedChildren: [any AnyChildrenBinding] = []
    /// The run that makes the present step; 0 if none does. If the step closes its instance, it keeps its result.
    var actingRun: RunID = 0
    /// The tasks of runs that have started in the present step or call, which have yet to be created.
    var launches: [RunTask] = []
    /// The signals for which the tasks of other runs wait that have started there.
    var turns: [Signal] = []
    /// The chain of the action that the present step reduces, if that accompanies a run.
    var accompanimentChain: AccompanimentChain?
    /// Whether posted mail is being delivered, so that the current task is not the one that caused it.
    var isDeliveringMail = false

    init(_ configuration: Relux.StoreConfiguration, phase: StorePhase = .open) {
        self.phase = phase
        executor = StoreExecutor(carrier: configuration.executor)
        aroundRun = Lock(configuration.aroundRun)
        clock = StoreClock(configuration.clock)
        randomSeed = configuration.randomSeed ?? UInt64.random(in: .min ... .max)
        mainActor = configuration.mainActor
        tree = Tree()
        if phase != .open { tree.root.close() }
        reporter = Reporter(configuration.observers, clock)
        readers = Readers(tree, reporter, agenda)
        dispatch = ActionDispatch(
            readers, configuration.middleware, takingAddressedActions: configuration.takesAddressedActions
        )
        savings = Savings(clock, numbers, agenda)
        modules = Modules(dispatch, savings, numbers, agenda, configuration)
        readers.setStore(self)
    }

    /// The core of ``Relux/Dispatcher/none``, which refuses everything.
    static let closed = Core(Relux.StoreConfiguration(), phase: .shutDown)
}
