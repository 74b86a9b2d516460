import Relux

/// A wrapper whose runs start at once, whatever the saga's policy says.
struct LoneSaga<Base: Relux.Saga>: Relux.Saga, StandIn {
    let saga: Base

    static var original: Any.Type { Base.self }

    func policy(for trigger: Base.Trigger) -> Relux.Policy { saga.policy(for: trigger).unrelated }

    func actionOnCancel(_ trigger: Base.Trigger) -> (any Relux.Action)? { saga.actionOnCancel(trigger) }

    func run(_ trigger: Base.Trigger, in context: Relux.SagaContext) async throws {
        try await saga.run(trigger, in: context)
    }
}

/// A wrapper whose runs start at once, whatever the flow's policy says, and that records their output.
struct LoneFlow<Base: Relux.Flow>: Relux.Flow, StandIn {
    let flow: Base
    let notebook: SagaNotebook

    static var original: Any.Type { Base.self }

    func policy(for trigger: Base.Trigger) -> Relux.Policy { flow.policy(for: trigger).unrelated }

    func actionOnCancel(_ trigger: Base.Trigger) -> (any Relux.Action)? { flow.actionOnCancel(trigger) }

    func run(_ trigger: Base.Trigger, in context: Relux.SagaContext) async throws -> Base.Trigger.Output {
        let output = try await flow.run(trigger, in: context)
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
