import Relux
import Testing

/// One saga or flow alone: given states, a clock of the test's own, and scripted answers to what it performs.
///
/// ```swift
/// let tester = try await SagaTester(SignIn.Saga(), states: [Session.State()])
/// try await tester.answer(Auth.Request.self) { request in .value(Token(request.name)) }
///
/// await tester.start(SignIn.Effect(name: "ann"))
///
/// #expect(tester.performed(Auth.Request.self) == [Auth.Request(name: "ann")])
/// #expect(tester.dispatched(Session.Action.self) == [.signedIn("ann")])
/// ```
///
/// What it does is what it would do in a store: the actions that it dispatches are reduced by the given states, and an
/// action that these don't take goes nowhere. Its policy has no say: each ``start(_:sourceLocation:)`` begins a run at
/// once.
///
/// - Isolation: Every member can be used from anywhere. Nothing runs between two calls.
/// - Ordering: ``steps`` has everything in the order in which the saga did it.
/// - Cancellation: ``cancel()`` cancels the runs; the calls themselves aren't cancellable.
/// - Lifetime: Runs that have not ended are cancelled with the last reference.
public final class SagaTester<Trigger: Relux.Action>: Sendable {
    /// The time of the saga, which moves by ``advance(by:sourceLocation:)``.
    public let clock: ManualClock

    let executor: SeededExecutor
    let store: Relux.Store
    let notebook: SagaNotebook
    let scripts = Shared<[ObjectIdentifier: any Sendable]>([:])
    private let cancelRuns: @Sendable (Relux.Store) async -> Void

    /// Makes a tester of a saga.
    ///
    /// - Parameters:
    ///   - saga: The saga.
    ///   - states: What it can read, and what reduces its actions.
    /// - Throws: A `StoreError` if two states have the same type.
    public convenience init<S: Relux.Saga>(
        _ saga: S, states: [any Relux.State] = []
    ) async throws where S.Trigger == Trigger {
        try await self.init(SagaNotebook()) { store in
            await store.cancel(LoneSaga<S>.self)
        } module: { _ in
            LoneModule(states: states, sagas: [LoneSaga(saga: saga)])
        }
    }

    /// Makes a tester of a flow.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - states: What it can read, and what reduces its actions.
    /// - Throws: A `StoreError` if two states have the same type.
    public convenience init<F: Relux.Flow>(
        _ flow: F, states: [any Relux.State] = []
    ) async throws where F.Trigger == Trigger {
        try await self.init(SagaNotebook()) { store in
            await store.cancel(LoneFlow<F>.self)
        } module: { notebook in
            LoneModule(states: states, flows: [LoneFlow(flow: flow, notebook: notebook)])
        }
    }

    private init(
        _ notebook: SagaNotebook,
        cancel: @escaping @Sendable (Relux.Store) async -> Void,
        module: (SagaNotebook) -> LoneModule
    ) async throws {
        let executor = SeededExecutor(seed: 0)
        let clock = ManualClock { await executor.rest() }
        let module = module(notebook)
        self.executor = executor
        self.clock = clock
        self.notebook = notebook
        cancelRuns = cancel
        let configuration = Relux.StoreConfiguration(
            clock: NotingClock(clock: clock, notebook: notebook), executor: executor, observers: [notebook],
            randomSeed: 0
        )
        store = try await executor.value { try await Relux.Store(configuration) { module } }
    }

    // Nobody drives the executor any more: what is still under way is ended here, so that no task is left behind.
    deinit {
        executor.end(store)
    }

    // MARK: Doing

    /// Starts a run, and lets it go as far as it can: to its end, to a sleep, or to a suspended answer.
    ///
    /// - Parameters:
    ///   - trigger: What sets it off.
    ///   - sourceLocation: Where it is recorded that the saga performs an effect without a scripted answer.
    public func start(_ trigger: Trigger, sourceLocation: SourceLocation = #_sourceLocation) async {
        // The store is open for as long as this object lives, so that it takes the trigger.
        _ = try? await executor.value { [store] in await store.dispatch(trigger) }
        expectScripts(sourceLocation)
    }

    /// Moves the time on, and lets the saga go as far as it can.
    ///
    /// - Parameters:
    ///   - duration: How far.
    ///   - sourceLocation: Where it is recorded that the saga performs an effect without a scripted answer.
    public func advance(by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await clock.advance(by: duration)
        expectScripts(sourceLocation)
    }

    /// Cancels every run, and lets that come to rest. What the saga tidies up by `actionOnCancel` is among the steps.
    public func cancel() async {
        _ = try? await executor.value { [cancelRuns, store] in await cancelRuns(store) }
    }

    // MARK: Looking

    /// How the last run that has ended did so; nil while none has.
    public var outcome: Relux.RunOutcome? { notebook.outcome }

    /// Everything that the saga has dispatched, performed and slept for, in order.
    public var steps: [Step] { notebook.steps }

    /// The actions of a type that it has dispatched or sent, in order.
    ///
    /// - Parameter type: The type.
    /// - Returns: The actions.
    public func dispatched<A: Relux.Action>(_ type: A.Type) -> [A] {
        steps.compactMap { if case .dispatched(let action) = $0 { action as? A } else { nil } }
    }

    /// The effects of a type that it has performed, in order.
    ///
    /// - Parameter type: The type.
    /// - Returns: The effects.
    public func performed<E: Relux.Effect>(_ type: E.Type) -> [E] {
        steps.compactMap { if case .performed(let effect) = $0 { effect as? E } else { nil } }
    }

    /// What it has slept for, in order. The limit of a timeout counts too.
    public var sleeps: [Duration] {
        steps.compactMap { if case .slept(let duration) = $0 { duration } else { nil } }
    }

    /// A given state, as it is now.
    ///
    /// - Parameter type: The state.
    /// - Returns: Its value.
    /// - Throws: `StoreError.stateNotOwned` if it was not given.
    public func state<S: Relux.State>(of type: S.Type = S.self) async throws -> S {
        try await executor.value { [store] in try await store.state(of: type) }
    }
}

extension SagaTester where Trigger: Relux.Effect {
    /// What the last run of a flow has returned; nil while none has, and for a saga.
    public var output: Trigger.Output? { notebook.output as? Trigger.Output }
}
