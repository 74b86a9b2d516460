import Relux
import Testing

/// Tests one saga or flow in isolation, with given states, its own clock, and scripted answers to what it performs.
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
/// There are no instances here: a `ChildAction` is dispatched, delivered, and answered like any other action, and is
/// reported like any other if nothing takes it.
///
/// The saga behaves as it would in a store. The given states and reducers reduce the actions that it dispatches. What
/// accompanies its runs, such as `actionOnStart`, and the last actions of `finish` are among the ``steps``. The saga's
/// policy is ignored, apart from the id and the lane that `cancel` refers to: each ``start(_:sourceLocation:)`` starts
/// a run at once, so nothing is dropped. ``deliver(_:sourceLocation:)`` dispatches an action that it waits for.
///
/// Each of the following is recorded as an issue:
///
/// - an awaited effect without a scripted answer
/// - an action or effect that nothing takes, a refused write, and an action dispatched synchronously inside the store,
///   unless the test has called ``expectRefusal(sourceLocation:)`` before
/// - work that never ends, such as that of a saga that triggers itself
/// - when the tester is released, an error of the saga that the test has neither received by reading ``outcome`` nor
///   announced with ``expectFailure(_:sourceLocation:)``
///
/// - Isolation: Every member can be used from anywhere. Nothing runs between two calls.
/// - Ordering: ``steps`` lists everything in the order in which the saga did it.
/// - Cancellation: ``cancel(sourceLocation:)`` cancels the runs. Cancelling the calling task ends a call only if it
///   waits for work that has left the tester's scheduler.
/// - Lifetime: Releasing the last reference cancels the runs that have not ended.
public final class SagaTester<Trigger: Relux.Action>: Sendable {
    /// The saga's clock, which ``advance(by:sourceLocation:)`` moves.
    public let clock: ManualClock

    let executor: SeededExecutor
    private let owned: OwnedStore
    var store: Relux.Store { owned.store }
    let notebook: SagaNotebook
    let scripts = Shared<[ObjectIdentifier: any Sendable]>([:])
    private let sourceLocation: SourceLocation
    private let cancelRuns: @Sendable (Relux.Store) async -> Void

    /// Creates a tester of a saga.
    ///
    /// - Parameters:
    ///   - states: The states that the saga can read and that reduce its actions.
    ///   - reducers: Additional reducers of these states, such as those of the saga's module.
    ///   - jobLimit: The number of jobs after which the work of a call is considered endless and fails the test.
    /// - Throws: A `StoreError` if two states have the same type, or a reducer has no state.
    public convenience init<S: Relux.Saga>(
        _ saga: S, states: [any Relux.State] = [], reducers: [Relux.Reducer] = [],
        jobLimit: Int = 100_000, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws where S.Trigger == Trigger {
        try await self.init(SagaNotebook(of: S.self), jobLimit, sourceLocation) { store in
            await store.cancel(S.self)
        } module: { _ in
            LoneModule(states: states, reducers: reducers, sagas: [LoneSaga(base: saga)])
        }
    }

    /// Creates a tester of a flow.
    ///
    /// - Parameters:
    ///   - states: The states that the flow can read and that reduce its actions.
    ///   - reducers: Additional reducers of these states, such as those of the flow's module.
    ///   - jobLimit: The number of jobs after which the work of a call is considered endless and fails the test.
    /// - Throws: A `StoreError` if two states have the same type, or a reducer has no state.
    public convenience init<F: Relux.Flow>(
        _ flow: F, states: [any Relux.State] = [], reducers: [Relux.Reducer] = [],
        jobLimit: Int = 100_000, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws where F.Trigger == Trigger {
        try await self.init(SagaNotebook(of: F.self), jobLimit, sourceLocation) { store in
            await store.cancel(F.self)
        } module: { notebook in
            LoneModule(states: states, reducers: reducers, flows: [LoneFlow(base: flow, notebook: notebook)])
        }
    }

    private init(
        _ notebook: SagaNotebook,
        _ jobLimit: Int,
        _ sourceLocation: SourceLocation,
        cancel: @escaping @Sendable (Relux.Store) async -> Void,
        module: (SagaNotebook) -> LoneModule
    ) async throws {
        let executor = SeededExecutor(seed: 0, jobLimit: jobLimit)
        let clock = ManualClock { await executor.rest() }
        let module = module(notebook)
        self.executor = executor
        self.clock = clock
        self.notebook = notebook
        self.sourceLocation = sourceLocation
        cancelRuns = cancel
        var configuration = Relux.StoreConfiguration(
            clock: NotingClock(clock: clock, notebook: notebook), executor: executor, observers: [notebook],
            randomSeed: 0
        )
        configuration.takesAddressedActions = true
        owned = OwnedStore(
            try await executor.value { [configuration] in
                try await Relux.Store(configuration) { module }
            })
    }

    // Nothing drives the executor from here on. The remaining work is ended now, so that no task is left behind.
    deinit {
        expectNothingOverlooked(sourceLocation)
        for text in notebook.unreadErrors { Issue.record("\(text)", sourceLocation: sourceLocation) }
        for (call, location) in notebook.unmetExpectations {
            Issue.record("`\(call)` was stated, but nothing of the kind has happened.", sourceLocation: location)
        }
        owned.end(on: executor)
    }

    // MARK: Running

    /// Starts a run and lets it go as far as it can: to its end, to a sleep, or to a suspended answer.
    public func start(_ trigger: Trigger, sourceLocation: SourceLocation = #_sourceLocation) async {
        // The store stays open for as long as this object lives and therefore takes the trigger.
        _ = try? await executor.value { [store] in await store.dispatch(trigger) }
        expectNothingOverlooked(sourceLocation)
    }

    /// Delivers an action that the saga waits for, and runs the saga as far as it can go.
    ///
    /// The action comes from outside: the given states and reducers reduce it, the saga's action streams deliver it,
    /// and it is not one of the ``steps``. If nothing takes it, that is recorded as an issue, unless it is an effect.
    public func deliver(_ action: some Relux.Action, sourceLocation: SourceLocation = #_sourceLocation) async {
        _ = try? await executor.value { [store] in await store.dispatch(action) }
        expectNothingOverlooked(sourceLocation)
    }

    /// Advances the time, and runs the saga as far as it can go.
    public func advance(by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await clock.advance(by: duration)
        expectNothingOverlooked(sourceLocation)
    }

    /// Cancels every run, and waits until the cancelled work has come to rest.
    ///
    /// The actions that the saga declares as `actionOnCancel` are among the steps.
    public func cancel(sourceLocation: SourceLocation = #_sourceLocation) async {
        _ = try? await executor.value { [cancelRuns, store] in await cancelRuns(store) }
        expectNothingOverlooked(sourceLocation)
    }

    // MARK: Inspecting

    /// The outcome of the run that ended last; nil if none has ended. A run has ended with its last action, even if its
    /// body goes on.
    ///
    /// Reading it receives the run's error, if there is one.
    public var outcome: Relux.RunOutcome? { notebook.readOutcome() }

    /// Everything that the saga has dispatched, performed and slept for, in order.
    public var steps: [Step] { notebook.steps }

    /// Returns the actions of a type that the saga has dispatched or sent, in order.
    public func dispatched<A: Relux.Action>(_ type: A.Type) -> [A] {
        steps.compactMap { if case .dispatched(let action) = $0 { action as? A } else { nil } }
    }

    /// Returns the effects of a type that the saga has performed, in order.
    public func performed<E: Relux.Effect>(_ type: E.Type) -> [E] {
        steps.compactMap { if case .performed(let effect) = $0 { effect as? E } else { nil } }
    }

    /// The durations for which the saga has slept, in order.
    ///
    /// They include the limits of timeouts.
    public var sleeps: [Duration] {
        steps.compactMap { if case .slept(let duration) = $0 { duration } else { nil } }
    }

    /// Returns the current value of a given state.
    ///
    /// - Throws: `StoreError.stateNotOwned` if the state was not given.
    public func state<S: Relux.State>(of type: S.Type = S.self) async throws -> S {
        try await executor.value { [store] in try await store.state(of: type) }
    }
}

extension SagaTester where Trigger: Relux.Effect {
    /// The value that the flow's last run returned; nil if none has returned, and for a saga.
    public var output: Trigger.Output? { notebook.output as? Trigger.Output }
}
