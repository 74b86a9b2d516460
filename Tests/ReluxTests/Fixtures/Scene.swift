import Relux
import ReluxTesting
import TestFixtures

/// What a test of runs needs. Each test has one of its own.
struct Scene: Sendable {
    /// Services wait here.
    let gate = Gate()
    /// Only the test advances it.
    let clock = ManualClock()
    let observer = TraceObserver()
    let trace = Trace<String>()
    /// Leads to the store that was made last.
    let link = StoreLink()
}

/// A suite whose tests have a scene.
protocol Staged: Sendable {
    var scene: Scene { get }
}

extension Staged {
    var gate: Gate { scene.gate }
    var clock: ManualClock { scene.clock }
    var observer: TraceObserver { scene.observer }
    var trace: Trace<String> { scene.trace }
    var link: StoreLink { scene.link }

    /// How the runs have ended, in order, such as "end 1 finished".
    var ends: [String] { observer.trace.entries.filter { $0.hasPrefix("end") } }

    /// The runs whose writes were refused, in order; nil for another refusal.
    var staleRuns: [UInt64?] { observer.refusals.entries.map { $0.staleRun?.id } }

    /// Makes a store with a log and the given parts, whose clock stands still.
    func makeStore(
        executor: (any TaskExecutor)? = nil, observers: [any Relux.StoreObserver] = [],
        _ sagas: any Relux.Saga..., flows: [any Relux.Flow] = [], watchers: [any Relux.Watcher] = []
    ) async throws -> Relux.Store {
        try await makeStore(executor: executor, observers: observers, sagas: sagas, flows: flows, watchers: watchers)
    }

    func makeStore(
        executor: (any TaskExecutor)? = nil, observers: [any Relux.StoreObserver] = [],
        sagas: [any Relux.Saga], flows: [any Relux.Flow] = [], watchers: [any Relux.Watcher] = []
    ) async throws -> Relux.Store {
        let store = Relux.Store(.init(clock: clock, executor: executor, observers: observers))
        link.connect(to: store)
        try await store.register(SagaModule(sagas: sagas, flows: flows, watchers: watchers))
        return store
    }

    /// Makes a store with a log and a saga for work.
    func makeStore(
        _ policy: Relux.Policy = .concurrent, observers: [any Relux.StoreObserver] = [],
        cleanup: (@Sendable (Work) -> Log.Action?)? = nil,
        _ body: @escaping @Sendable (Work, Relux.SagaContext) async throws -> Void
    ) async throws -> Relux.Store {
        try await makeStore(observers: observers, WorkSaga(policy: policy, cleanup: cleanup, body: body))
    }

    /// Waits at the gate, even if the run is cancelled, and then tries to log the name of the trigger.
    func logBehindGate(_ trigger: some Named, _ context: Relux.SagaContext) async {
        await gate.pass()
        await context.dispatch(Log.Action.add(trigger.name))
    }

    /// Performs an effect in a new task, and returns when something has arrived at the gate.
    func performing(_ effect: some Relux.Effect, in store: Relux.Store) async -> Task<Ending, Never> {
        let task = Task { await Ending.of { try await store.perform(effect) } }
        await gate.arrivals()
        return task
    }

    /// Dispatches an action, and returns when something has arrived at the gate.
    @discardableResult
    func dispatching(_ action: some Relux.Action, in store: Relux.Store) async -> Relux.Dispatched {
        let dispatched = await store.dispatch(action)
        await gate.arrivals()
        return dispatched
    }

    /// Opens the gate, and returns the log once the store is idle.
    func finalLog(of store: Relux.Store) async throws -> [String] {
        gate.open()
        try await store.idle()
        return try await store.log()
    }
}

/// An action with a name.
protocol Named: Relux.Action {
    var name: String { get }
}

extension Work: Named {}
extension Errand: Named {}
extension Chore: Named {}
extension Job: Named {}

/// How a run of `WorkSaga` loses the right to write.
enum Halt: CaseIterable, Sendable {
    case byItsCaller, byName, superseded, reset, unregistered, shutDown

    /// Halts the run that a task performs.
    func happen(to caller: Task<some Sendable, some Error>, in store: Relux.Store?) async {
        switch self {
        case .byItsCaller: caller.cancel()
        case .byName: await store?.cancel(WorkSaga.self)
        case .superseded: await store?.dispatch(Work(name: "new"))
        case .reset: await store?.reset()
        case .unregistered: await store?.unregister(SagaModule.self)
        case .shutDown: await store?.shutdown()
        }
    }
}
