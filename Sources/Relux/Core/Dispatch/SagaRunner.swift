/// One registered saga or flow. Everything but its work is called inside the store.
///
/// - Isolation: The core's.
final class SagaRunner {
    let id: SagaID
    /// The type of the saga or flow.
    let saga: Any.Type
    let trigger: any Relux.Action.Type
    /// The module that lists it.
    unowned let owner: ModuleRegistration
    /// The type of the value that a run returns; nil for a saga, whose runs return none.
    private let output: Any.Type?
    /// These take triggers of its type, which the route that holds it looks up.
    let policy: (any Relux.Action) -> Relux.Policy
    let actionOnCancel: (any Relux.Action) -> (any Relux.Action)?
    let work: @Sendable (any Relux.Action, RunHandle) async throws -> (any Sendable)?

    init<S: Relux.Saga>(_ saga: S, of owner: ModuleRegistration, id: SagaID) {
        (self.id, self.owner, trigger, output) = (id, owner, S.Trigger.self, nil)
        self.saga = (S.self as? any StandIn.Type)?.original ?? S.self
        policy = { ($0 as? S.Trigger).map { saga.policy(for: $0) } ?? .concurrent }
        actionOnCancel = { ($0 as? S.Trigger).flatMap { saga.actionOnCancel($0) } }
        work = { trigger, run in
            if let trigger = trigger as? S.Trigger { try await saga.run(trigger, in: run.context) }
            return nil
        }
    }

    init<F: Relux.Flow>(_ flow: F, of owner: ModuleRegistration, id: SagaID) {
        (self.id, self.owner, trigger, output) = (id, owner, F.Trigger.self, F.Trigger.Output.self)
        saga = (F.self as? any StandIn.Type)?.original ?? F.self
        policy = { ($0 as? F.Trigger).map { flow.policy(for: $0) } ?? .concurrent }
        actionOnCancel = { ($0 as? F.Trigger).flatMap { flow.actionOnCancel($0) } }
        work = { trigger, run in
            guard let trigger = trigger as? F.Trigger else { return nil }
            return try await flow.run(trigger, in: run.context)
        }
    }

    var isFlow: Bool { output != nil }

    /// Whether the result of this runner's run can be that of a trigger of another one.
    func canShareResult(with other: SagaRunner?) -> Bool {
        other.map { !$0.isFlow || $0.output == output ?? Void.self } ?? false
    }
}
