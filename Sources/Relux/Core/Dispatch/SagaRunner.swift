/// A saga or flow that wraps another one, as that of a tester does. Records and `cancel` use the type of that one.
package protocol StandIn {
    static var original: Any.Type { get }
}

/// One registered saga or flow.
///
/// - Isolation: The core's.
class AnySagaRunner {
    let id: SagaID
    /// The type of the saga or flow.
    let saga: Any.Type
    let trigger: any Relux.Action.Type
    /// The module that lists it.
    unowned let owner: ModuleRegistration
    /// The type of the value that a run returns; nil for a saga, whose runs return none.
    private let output: Any.Type?

    fileprivate init(
        id: SagaID, saga: Any.Type, of owner: ModuleRegistration, on trigger: any Relux.Action.Type, output: Any.Type?
    ) {
        (self.id, self.owner, self.trigger) = (id, owner, trigger)
        self.saga = (saga as? any StandIn.Type)?.original ?? saga
        self.output = output
    }

    var isFlow: Bool { output != nil }

    /// The `actionOnCancel` of the saga for a trigger of its type. Called inside the store.
    func actionOnCancel(_ trigger: any Relux.Action) -> (any Relux.Action)? { nil }

    /// The runner with its type. The caller must have found it on the route of that type.
    final func typed<A: Relux.Action>(for action: A.Type) -> SagaRunner<A> {
        // unsafeDowncast: a route takes only runners of its own type.
        unsafeDowncast(self, to: SagaRunner<A>.self)
    }

    /// Whether the result of this runner's run can be that of a trigger of another one.
    final func canShareResult(with other: AnySagaRunner?) -> Bool {
        other.map { !$0.isFlow || $0.output == output ?? Void.self } ?? false
    }
}

/// The policy and the body of one registered saga or flow that takes a type of action.
final class SagaRunner<A: Relux.Action>: AnySagaRunner {
    /// Called inside the store.
    let policy: (A) -> Relux.Policy
    private let actionOnCancel: (A) -> (any Relux.Action)?
    private let work: @Sendable (A, RunHandle) async throws -> (any Sendable)?

    init<S: Relux.Saga>(_ saga: S, of owner: ModuleRegistration, id: SagaID) where S.Trigger == A {
        policy = { saga.policy(for: $0) }
        actionOnCancel = { saga.actionOnCancel($0) }
        work = { trigger, run in
            try await saga.run(trigger, in: run.context)
            return nil
        }
        super.init(id: id, saga: S.self, of: owner, on: A.self, output: nil)
    }

    init<F: Relux.Flow>(_ flow: F, of owner: ModuleRegistration, id: SagaID) where F.Trigger == A {
        policy = { flow.policy(for: $0) }
        actionOnCancel = { flow.actionOnCancel($0) }
        work = { trigger, run in try await flow.run(trigger, in: run.context) }
        super.init(id: id, saga: F.self, of: owner, on: A.self, output: A.Output.self)
    }

    override func actionOnCancel(_ trigger: any Relux.Action) -> (any Relux.Action)? {
        (trigger as? A).flatMap { actionOnCancel($0) }
    }

    /// What a run does, outside the store.
    func work(on trigger: A, as run: RunHandle) -> @Sendable () async throws -> (any Sendable)? {
        { [work] in try await work(trigger, run) }
    }
}
