/// One registered saga or flow.
// @unchecked Sendable: it and its subclasses hold constants that are Sendable.
class AnyResponder: @unchecked Sendable {
    let id: RunTable.ResponderID
    let saga: Any.Type
    let isFlow: Bool

    init(id: RunTable.ResponderID, saga: Any.Type, isFlow: Bool) {
        self.id = id
        self.saga = saga
        self.isFlow = isFlow
    }

    /// What puts things right after a cancellation. Called inside the store.
    ///
    /// - Parameter trigger: What the cancelled run was about.
    /// - Returns: An action to reduce in the same step, or nil.
    func actionOnCancel(_ trigger: any Relux.Action) -> (any Relux.Action)? { nil }
}

/// One registered saga or flow, as its trigger's route knows it.
// @unchecked Sendable: see AnyResponder. Its methods are overridden in all that is registered.
class Responder<A: Relux.Action>: AnyResponder, @unchecked Sendable {
    func policy(for trigger: A) -> Relux.Policy { .concurrent }

    /// Makes the task of a run.
    func launch(_ run: RunHandle, for trigger: A, _ start: Core.Start, in core: Core) -> Task<Void, Never> {
        core.launch {}
    }
}

// @unchecked Sendable: see AnyResponder.
final class SagaResponder<S: Relux.Saga>: Responder<S.Trigger>, @unchecked Sendable {
    private let instance: S

    init(_ instance: S, id: RunTable.ResponderID) {
        self.instance = instance
        super.init(id: id, saga: S.self, isFlow: false)
    }

    override func policy(for trigger: S.Trigger) -> Relux.Policy { instance.policy(for: trigger) }

    override func actionOnCancel(_ trigger: any Relux.Action) -> (any Relux.Action)? {
        (trigger as? S.Trigger).flatMap { instance.actionOnCancel($0) }
    }

    override func launch(
        _ run: RunHandle, for trigger: S.Trigger, _ start: Core.Start, in core: Core
    ) -> Task<Void, Never> {
        // Written twice: a closure that is passed on before it becomes a task's gets four more calls around it.
        if core.isLaunchingAsUsual {
            return Task { [instance] in await run.execute(start) { try await instance.run(trigger, in: run.context) } }
        }
        return core.launch { [instance] in
            await run.execute(start) { try await instance.run(trigger, in: run.context) }
        }
    }
}

// @unchecked Sendable: see AnyResponder.
final class FlowResponder<F: Relux.Flow>: Responder<F.Trigger>, @unchecked Sendable {
    private let instance: F

    init(_ instance: F, id: RunTable.ResponderID) {
        self.instance = instance
        super.init(id: id, saga: F.self, isFlow: true)
    }

    override func policy(for trigger: F.Trigger) -> Relux.Policy { instance.policy(for: trigger) }

    override func actionOnCancel(_ trigger: any Relux.Action) -> (any Relux.Action)? {
        (trigger as? F.Trigger).flatMap { instance.actionOnCancel($0) }
    }

    override func launch(
        _ run: RunHandle, for trigger: F.Trigger, _ start: Core.Start, in core: Core
    ) -> Task<Void, Never> {
        // Written twice: a closure that is passed on before it becomes a task's gets four more calls around it.
        if core.isLaunchingAsUsual {
            return Task { [instance] in await run.execute(start) { try await instance.run(trigger, in: run.context) } }
        }
        return core.launch { [instance] in
            await run.execute(start) { try await instance.run(trigger, in: run.context) }
        }
    }
}
