import Relux

/// The wrapper of the tested saga or flow in its tester's store.
protocol LoneWork {
    /// The type of the tested saga or flow.
    static var tested: Any.Type { get }
}

/// A wrapper that ignores the saga's policy.
struct LoneSaga<Base: Relux.Saga>: Relux.Saga, LoneWork {
    let saga: Base

    static var tested: Any.Type { Base.self }

    func policy(for trigger: Base.Trigger) -> Relux.Policy { .concurrent }

    func actionOnCancel(_ trigger: Base.Trigger) -> (any Relux.Action)? { saga.actionOnCancel(trigger) }

    func run(_ trigger: Base.Trigger, in context: Relux.SagaContext) async throws {
        try await saga.run(trigger, in: context)
    }
}

/// A wrapper that ignores the flow's policy and records its output.
struct LoneFlow<Base: Relux.Flow>: Relux.Flow, LoneWork {
    let flow: Base
    let notebook: SagaNotebook

    static var tested: Any.Type { Base.self }

    func policy(for trigger: Base.Trigger) -> Relux.Policy { .concurrent }

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
