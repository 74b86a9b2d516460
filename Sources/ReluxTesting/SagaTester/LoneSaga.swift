import Relux

/// A wrapper whose runs start at once, whatever the policy says.
protocol LoneHandler: HandlerWrapper {
    associatedtype Base: Relux.Handler where Base.Trigger == Trigger

    var base: Base { get }
}

extension LoneHandler {
    static var original: Any.Type { Base.self }

    var listens: [any Relux.Action.Type] { base.listens }

    func policy(for trigger: Trigger) -> Relux.Policy { base.policy(for: trigger).unrelated }

    func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { base.actionOnCancel(trigger) }

    func actionOnStart(_ trigger: Trigger) -> (any Relux.Action)? { base.actionOnStart(trigger) }

    func actionOnDrop(_ trigger: Trigger) -> (any Relux.Action)? { base.actionOnDrop(trigger) }

    func actionOnFailure(_ trigger: Trigger, _ error: any Error) -> (any Relux.Action)? {
        base.actionOnFailure(trigger, error)
    }
}

struct LoneSaga<Base: Relux.Saga>: Relux.Saga, LoneHandler {
    let base: Base

    func run(_ trigger: Base.Trigger, in context: Relux.SagaContext) async throws {
        try await base.run(trigger, in: context)
    }
}

/// It also records the output.
struct LoneFlow<Base: Relux.Flow>: Relux.Flow, LoneHandler {
    let base: Base
    let notebook: SagaNotebook

    func run(_ trigger: Base.Trigger, in context: Relux.SagaContext) async throws -> Base.Trigger.Output {
        let output = try await base.run(trigger, in: context)
        notebook.returned(output)
        return output
    }
}

/// The only module of a tester's store, apart from the scripts.
struct LoneModule: Relux.Module {
    var states: [any Relux.State] = []
    var reducers: [Relux.Reducer] = []
    var sagas: [any Relux.Saga] = []
    var flows: [any Relux.Flow] = []
}
