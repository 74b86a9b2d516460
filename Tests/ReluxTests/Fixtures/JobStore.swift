import Relux
import ReluxTesting
import TestFixtures

/// A store with a single saga that executes jobs. A job logs its start, waits at its gate if it has one, and then
/// either throws or logs its end.
struct JobStore: Sendable {
    let store: Relux.Store
    let clock = ManualClock()
    let observer = TraceObserver()
    private let gates: [String: Gate]

    /// Creates the store. The `gated` jobs wait until they are released. `body` is what a job does before it logs its
    /// end.
    init(
        gated: [String] = [],
        _ body: @escaping @Sendable (Job, Relux.SagaContext) async throws -> Void = { _, _ in }
    ) async throws {
        let gates = Dictionary(uniqueKeysWithValues: gated.map { ($0, Gate()) })
        self.gates = gates
        let saga = ClosureSaga<Job>(policy: \.policy, cleanup: { .add("cleaned up \($0.name)") }) { job, context in
            await context.dispatch(Log.Action.add("\(job.name)+"))
            await gates[job.name]?.pass()
            try await body(job, context)
            await context.dispatch(Log.Action.add("\(job.name)-"))
        }
        store = try await Relux.Store(.init(clock: clock, observers: [observer])) { saga.alone }
    }

    /// Lets a job pass its gate, now or later.
    func release(_ name: String) { gates[name]?.open() }

    /// Waits until a job has arrived at its gate.
    func arrival(of name: String) async { await gates[name]?.arrivals() }

    @discardableResult
    func dispatch(_ name: String, _ policy: Relux.Policy) async -> Relux.Dispatched {
        await store.dispatch(Job(name, policy))
    }

    func perform(_ name: String, _ policy: Relux.Policy) async -> Ending {
        await Ending.of { try await store.perform(Job(name, policy)) }
    }

    /// Performs a job in a new task. Returns when the action has been reduced and its run has been admitted.
    func performing(_ name: String, _ policy: Relux.Policy) async -> Task<Ending, Never> {
        let stream = store.actionStream(of: Job.self)
        let task = Task { await perform(name, policy) }
        _ = await stream.first { $0.name == name }
        // The stream has the action before the end of its step, in which the run is admitted.
        _ = try? await store.log()
        return task
    }

    /// How the runs ended, in order.
    var ends: [String] { observer.trace.entries.filter { $0.hasPrefix("end") } }

    /// Opens all gates and returns the log once the store is idle.
    func finalLog() async throws -> [String] {
        for gate in gates.values { gate.open() }
        try await store.idle()
        return try await store.log()
    }
}
