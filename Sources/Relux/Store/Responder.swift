/// One registered saga or flow.
class AnyResponder {
    let id: RunTable.ResponderID
    let saga: Any.Type
    let isFlow: Bool

    init(id: RunTable.ResponderID, saga: Any.Type, isFlow: Bool) {
        self.id = id
        self.saga = saga
        self.isFlow = isFlow
    }
}

/// One registered saga or flow, as its trigger's route knows it.
class Responder<A: Relux.Action>: AnyResponder {
    func policy(for trigger: A) -> Relux.Policy { .concurrent }

    func work(for trigger: A) -> any Work { NoWork() }
}

final class SagaResponder<S: Relux.Saga>: Responder<S.Trigger> {
    private let instance: S

    init(_ instance: S, id: RunTable.ResponderID) {
        self.instance = instance
        super.init(id: id, saga: S.self, isFlow: false)
    }

    override func policy(for trigger: S.Trigger) -> Relux.Policy { instance.policy(for: trigger) }

    override func work(for trigger: S.Trigger) -> any Work { SagaWork(saga: instance, trigger: trigger) }
}

final class FlowResponder<F: Relux.Flow>: Responder<F.Trigger> {
    private let instance: F

    init(_ instance: F, id: RunTable.ResponderID) {
        self.instance = instance
        super.init(id: id, saga: F.self, isFlow: true)
    }

    override func policy(for trigger: F.Trigger) -> Relux.Policy { instance.policy(for: trigger) }

    override func work(for trigger: F.Trigger) -> any Work { FlowWork(flow: instance, trigger: trigger) }
}

/// What a run does, with its trigger.
protocol Work: Sendable {
    func actionOnCancel() -> (any Relux.Action)?
    func run(in context: Relux.SagaContext) async throws -> any Sendable
}

private struct SagaWork<S: Relux.Saga>: Work {
    let saga: S
    let trigger: S.Trigger

    func actionOnCancel() -> (any Relux.Action)? { saga.actionOnCancel(trigger) }

    func run(in context: Relux.SagaContext) async throws -> any Sendable {
        try await saga.run(trigger, in: context)
    }
}

private struct FlowWork<F: Relux.Flow>: Work {
    let flow: F
    let trigger: F.Trigger

    func actionOnCancel() -> (any Relux.Action)? { flow.actionOnCancel(trigger) }

    func run(in context: Relux.SagaContext) async throws -> any Sendable {
        try await flow.run(trigger, in: context)
    }
}

struct WatcherWork: Work {
    let watcher: any Relux.Watcher

    func actionOnCancel() -> (any Relux.Action)? { nil }

    func run(in context: Relux.SagaContext) async throws -> any Sendable {
        try await watcher.watch(in: context)
    }
}

struct NoWork: Work {
    func actionOnCancel() -> (any Relux.Action)? { nil }
    func run(in context: Relux.SagaContext) async throws -> any Sendable { () }
}
