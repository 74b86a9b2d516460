import Relux
import ReluxTesting

/// A store whose one saga does jobs: it notes the start, waits at the gate of the job if it has one, and then either
/// throws or notes the end.
struct JobStore: Sendable {
    let store: Relux.Store
    let clock = ManualClock()
    let observer = TraceObserver()
    private let gates: [String: Gate]

    /// Jobs that are `gated` wait until they are let go; the `body` is what a job does before it notes its end.
    init(
        gated: [String] = [],
        _ body: @escaping @Sendable (Job, Relux.SagaContext) async throws -> Void = { _, _ in }
    ) async throws {
        let gates = Dictionary(uniqueKeysWithValues: gated.map { ($0, Gate()) })
        self.gates = gates
        let saga = ClosureSaga<Job>(policy: \.policy, tidy: { .add("tidied \($0.name)") }) { job, context in
            await context.dispatch(Log.Action.add("\(job.name)+"))
            await gates[job.name]?.pass()
            try await body(job, context)
            await context.dispatch(Log.Action.add("\(job.name)-"))
        }
        store = try await Relux.Store(.init(clock: clock, observers: [observer])) { saga.alone }
    }

    /// Lets a job go on that waits at its gate, now or later.
    func release(_ name: String) { gates[name]?.open() }

    /// Waits until a job stands at its gate.
    func arrival(of name: String) async { await gates[name]?.arrivals() }

    @discardableResult
    func dispatch(_ name: String, _ policy: Relux.Policy) async -> Relux.Dispatched {
        await store.dispatch(Job(name, policy))
    }

    func perform(_ name: String, _ policy: Relux.Policy) async -> Ending {
        await Ending.of { try await store.perform(Job(name, policy)) }
    }

    /// Performs in a task, which has got so far that the action was reduced and its run taken in.
    func performing(_ name: String, _ policy: Relux.Policy) async -> Task<Ending, Never> {
        let stream = store.actionStream(of: Job.self)
        let task = Task { await perform(name, policy) }
        _ = await stream.first { $0.name == name }
        return task
    }

    /// How the runs ended, by the names of their triggers.
    var ends: [String] { observer.trace.entries.filter { $0.hasPrefix("end") } }

    /// What has been written, once nothing is at work any more.
    func finalLog() async throws -> [String] {
        for gate in gates.values { gate.open() }
        try await store.idle()
        return try await store.log()
    }
}
