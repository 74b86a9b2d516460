import Relux

/// A saga made of closures that accompanies its runs with actions of a log.
struct HookedSaga<Trigger: Relux.Action>: Relux.Saga {
    var policy: @Sendable (Trigger) -> Relux.Policy = { _ in .concurrent }
    var listens: [any Relux.Action.Type] = []
    /// Names a trigger in the log; nil for one that nothing accompanies.
    let name: @Sendable (Trigger) -> String?
    /// Whether its failures are accompanied.
    var takesFailures = true
    let body: @Sendable (Trigger, Relux.SagaContext) async throws -> Void

    func policy(for trigger: Trigger) -> Relux.Policy { policy(trigger) }
    func actionOnStart(_ trigger: Trigger) -> (any Relux.Action)? { entry("start", trigger) }
    func actionOnDrop(_ trigger: Trigger) -> (any Relux.Action)? { entry("drop", trigger) }
    func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { entry("cancel", trigger) }
    func actionOnFailure(_ trigger: Trigger, _ error: any Error) -> (any Relux.Action)? {
        takesFailures ? entry("\(Ending(error)) of", trigger) : nil
    }
    func run(_ trigger: Trigger, in context: Relux.SagaContext) async throws { try await body(trigger, context) }

    private func entry(_ event: String, _ trigger: Trigger) -> Log.Action? {
        name(trigger).map { .add("\(event) \($0)") }
    }

    /// A module with this saga and a log.
    var alone: SagaModule { SagaModule(sagas: [self]) }
}

extension HookedSaga where Trigger == Job {
    /// A saga for jobs, which carry their policies.
    init(
        takesFailures: Bool = true, _ body: @escaping @Sendable (Job, Relux.SagaContext) async throws -> Void
    ) {
        self.init(policy: \.policy, name: { $0.name }, takesFailures: takesFailures, body: body)
    }
}

extension Relux.Store {
    /// Waits until the log contains an entry.
    nonisolated(nonsending) func logged(_ entry: String) async throws {
        try await wait(until: Log.self) { $0.entries.contains(entry) }
    }
}
