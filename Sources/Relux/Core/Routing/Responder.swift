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

    /// Makes the task of a run. Called inside the store.
    func launch(_ run: RunHandle, for trigger: A, _ start: Core.Start, in core: Core) {}

    /// Begins a run in the thread of the caller, and returns when it waits for something or has ended.
    ///
    /// Called outside the store, by whoever performs the trigger and has nothing else to do meanwhile.
    func begin(_ run: RunHandle, for trigger: A) {}
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

    override func launch(_ run: RunHandle, for trigger: S.Trigger, _ start: Core.Start, in core: Core) {
        // Written twice: a closure that is passed on before it becomes a task's gets four more calls around it.
        if core.isLaunchingAsUsual {
            Task { [instance] in
                await run.execute(start) { try await instance.run(trigger, in: run.context) }
            }
        } else {
            core.launch { [instance] in
                await run.execute(start) { try await instance.run(trigger, in: run.context) }
            }
        }
    }

    override func begin(_ run: RunHandle, for trigger: S.Trigger) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            Task { [instance] in await run.execute(.atOnce) { try await instance.run(trigger, in: run.context) } }
            return
        }
        // It throws nothing; but a task that could is made without a closure around this one.
        Task.immediate { [instance] () async throws in
            run.attach()
            let outcome: Completion.Outcome
            do {
                outcome = .finished(
                    try await CurrentRun.$handle.withValue(run) { try await instance.run(trigger, in: run.context) }
                )
            } catch {
                outcome = Completion.Outcome(thrown: error)
            }
            await run.end(outcome)
        }
    }
}

// It says of a flow what the other one says of a saga: in a method where both would meet, each run would take one more
// asynchronous call, with a change of executors to look into, which is 350 instructions.
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

    override func launch(_ run: RunHandle, for trigger: F.Trigger, _ start: Core.Start, in core: Core) {
        // Written twice: a closure that is passed on before it becomes a task's gets four more calls around it.
        if core.isLaunchingAsUsual {
            Task { [instance] in
                await run.execute(start) { try await instance.run(trigger, in: run.context) }
            }
        } else {
            core.launch { [instance] in
                await run.execute(start) { try await instance.run(trigger, in: run.context) }
            }
        }
    }

    override func begin(_ run: RunHandle, for trigger: F.Trigger) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            Task { [instance] in await run.execute(.atOnce) { try await instance.run(trigger, in: run.context) } }
            return
        }
        // It throws nothing; but a task that could is made without a closure around this one.
        Task.immediate { [instance] () async throws in
            run.attach()
            let outcome: Completion.Outcome
            do {
                outcome = .finished(
                    try await CurrentRun.$handle.withValue(run) { try await instance.run(trigger, in: run.context) }
                )
            } catch {
                outcome = Completion.Outcome(thrown: error)
            }
            await run.end(outcome)
        }
    }
}
