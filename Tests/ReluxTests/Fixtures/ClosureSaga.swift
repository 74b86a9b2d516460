import Relux
import ReluxTesting

/// A saga made of closures, for any action. Each trigger type gives a different saga type.
struct ClosureSaga<Trigger: Relux.Action>: Relux.Saga {
    var policy: @Sendable (Trigger) -> Relux.Policy = { _ in .concurrent }
    var cleanup: @Sendable (Trigger) -> Log.Action? = { _ in nil }
    let body: @Sendable (Trigger, Relux.SagaContext) async throws -> Void

    func policy(for trigger: Trigger) -> Relux.Policy { policy(trigger) }
    func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { cleanup(trigger) }
    func run(_ trigger: Trigger, in context: Relux.SagaContext) async throws { try await body(trigger, context) }

    /// A module that contains only this saga and a log.
    var alone: SagaModule { SagaModule(sagas: [self]) }
}

/// A second effect, for runs that interact with those of `Work`.
struct Errand: Relux.Effect, Hashable {
    var name = "errand"
}

/// A third effect.
struct Chore: Relux.Effect, Hashable {
    var name = "chore"
}

/// A trigger that carries its policy.
struct Job: Relux.Effect {
    var name: String
    var policy: Relux.Policy

    init(_ name: String, _ policy: Relux.Policy) {
        self.name = name
        self.policy = policy
    }
}

/// Waits until the task is cancelled, like a service that reacts to cancellation.
func untilCancelled() async throws {
    // This clock is never advanced.
    try await ManualClock().sleep(for: .seconds(1))
}

extension Relux.Store {
    /// The log's entries so far.
    nonisolated(nonsending) func log() async throws -> [String] {
        try await state(of: Log.self).entries
    }
}

extension Relux.Refusal {
    /// The run whose write was refused, if this is such a refusal.
    var staleRun: Relux.RunRecord? {
        if case .staleWrite(let run) = reason { run } else { nil }
    }

    /// The two runs of a refused wait, if this is such a refusal.
    var cycle: (waiting: Relux.RunRecord, on: Relux.RunRecord)? {
        if case .waitCycle(let waiting, let on) = reason { (waiting, on) } else { nil }
    }
}
