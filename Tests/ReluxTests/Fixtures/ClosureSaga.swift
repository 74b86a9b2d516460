import Relux
import ReluxTesting

/// A saga made of closures, on any action: each trigger makes a saga of another type.
struct ClosureSaga<Trigger: Relux.Action>: Relux.Saga {
    var policy: @Sendable (Trigger) -> Relux.Policy = { _ in .concurrent }
    var tidy: @Sendable (Trigger) -> Log.Action? = { _ in nil }
    let body: @Sendable (Trigger, Relux.SagaContext) async throws -> Void

    func policy(for trigger: Trigger) -> Relux.Policy { policy(trigger) }
    func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { tidy(trigger) }
    func run(_ trigger: Trigger, in context: Relux.SagaContext) async throws { try await body(trigger, context) }

    /// A module of this saga and a log.
    var alone: SagaModule { SagaModule(sagas: [self]) }
}

/// An effect beside `Work`, for runs that meet others.
struct Errand: Relux.Effect, Hashable {
    var name = "errand"
}

/// A third one.
struct Chore: Relux.Effect, Hashable {
    var name = "chore"
}

/// A trigger that brings its policy.
struct Job: Relux.Effect {
    var name: String
    var policy: Relux.Policy

    init(_ name: String, _ policy: Relux.Policy) {
        self.name = name
        self.policy = policy
    }
}

/// Waits until the task is cancelled: a service that listens.
func untilCancelled() async throws {
    // Nobody ever moves this clock on.
    try await ManualClock().sleep(for: .seconds(1))
}

extension Relux.Store {
    /// What has reached the log so far.
    nonisolated(nonsending) func log() async throws -> [String] {
        try await state(of: Log.self).entries
    }
}

extension Relux.Refusal {
    /// The run whose write was refused, if that is what it is about.
    var staleRun: Relux.RunRecord? {
        if case .staleWrite(let run) = reason { run } else { nil }
    }

    /// The runs of a refused wait, if that is what it is about.
    var cycle: (waiting: Relux.RunRecord, on: Relux.RunRecord)? {
        if case .waitCycle(let waiting, let on) = reason { (waiting, on) } else { nil }
    }
}
