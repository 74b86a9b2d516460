import ReluxTesting
import Testing

@testable import Relux

@Suite("Law 16: no leaks", .timeLimit(.minutes(10)))
struct Law16NoLeaksTests: Staged {
    let scene = Scene()
    private let world = SeededExecutor(seed: 16)

    /// The ends of three objects: one held by the states, one by the other parts of the modules, one by what observes.
    private struct Gone {
        let states: Event
        let parts: Event
        let observers: Event
    }

    /// Creates a store with every kind of part, whose sagas and flows ignore cancellation.
    private func makeStore(_ policy: Relux.Policy = .concurrent) async throws -> (store: Relux.Store, gone: Gone) {
        let (states, parts, observers) = (Probe(), Probe(), Probe())
        let store = Relux.Store(
            .init(
                clock: clock, executor: world, states: [ProbedState(probe: states)],
                middleware: [Answering(observers)], observers: [Answering(observers)]
            )
        )
        try await store.register(
            Part<TagA>(
                states: [ProbedState(probe: states, count: 1)],
                reducers: [.init(of: ProbedState.self, on: Tick.self) { [parts] state, _ in _ = (state, parts) }],
                sagas: [
                    WorkSaga(policy: policy) { [parts] _, _ in
                        await gate.pass()
                        withExtendedLifetime(parts) {}
                    }
                ],
                flows: [
                    QuestionFlow { [parts] _, _ in
                        await gate.pass()
                        return withExtendedLifetime(parts) { 1 }
                    }
                ],
                watchers: [
                    ClosureWatcher(listens: [Tick.self]) { [parts] context in
                        for await _ in context.actionStream(of: Tick.self) { withExtendedLifetime(parts) {} }
                    }
                ],
                dependencies: [Log.Module()]
            )
        )
        return (store, Gone(states: states.gone, parts: parts.gone, observers: observers.gone))
    }

    /// An observer or a middleware that keeps a dispatcher of the store that it belongs to.
    private final class Answering: Relux.StoreObserver, Relux.Middleware {
        let probe: Probe
        let dispatcher = Lock<Relux.Dispatcher?>(nil)

        init(_ probe: Probe) {
            self.probe = probe
        }

        func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
            .proceed
        }
    }

    /// Manages the modules of a store without keeping it alive.
    private struct Modules: Relux.ModuleManaging {
        let handle: Relux.StoreHandle
    }

    /// Every call that can wait for a store without keeping it alive.
    enum Waiting: CaseIterable {
        case perform, performQueued, performPending, ask, actionsSerially, actionsConcurrently
        case finished, idle, idleWithin, reset, unregister, shutdown, lease
        case wholeValues, selectedValues, readValues, constantValues, missingValues, actionStream, failures

        var policy: Relux.Policy {
            switch self {
            case .performQueued: .serial
            case .performPending: .debounce(.seconds(1))
            default: .concurrent
            }
        }

        /// Returns a call that waits without a reference to the store.
        func body(_ store: Relux.Store, _ lease: Relux.Lease) -> @Sendable () async throws -> String {
            let (dispatcher, handle, modules) = (store.dispatcher, store.handle, Modules(handle: store.handle))
            switch self {
            case .perform, .performQueued, .performPending: return ending { try await dispatcher.perform(Work()) }
            case .ask: return ending { _ = try await dispatcher.perform(Question()) }
            case .actionsSerially, .actionsConcurrently:
                let execution: Relux.Execution = self == .actionsSerially ? .serially : .concurrently
                return {
                    await dispatcher.actions(execution) {
                        Work()
                        Question()
                    }.description
                }
            case .finished: return ending { await dispatcher.dispatch(Work()).finished() }
            case .idle: return ending { try await handle.storeIdle(within: nil) }
            case .idleWithin: return ending { try await handle.storeIdle(within: .seconds(60)) }
            case .reset: return ending { await modules.reset() }
            case .unregister: return ending { await modules.unregister(Part<TagA>.self) }
            case .shutdown: return ending { await handle.storeShutdown() }
            case .lease: return ending { await lease.end() }
            case .wholeValues: return iterating(store.values(of: Log.self))
            case .selectedValues: return iterating(store.values(of: ProbedState.self) { $0.count })
            case .readValues: return iterating(store.values { reader in reader[Log.self]?.entries.count })
            case .constantValues: return iterating(store.values { _ in 1 })
            case .missingValues: return iterating(store.values { reader in reader[Counter<TagD>.self]?.value })
            case .actionStream: return iterating(store.actionStream(of: Log.Action.self))
            case .failures: return iterating(store.failures)
            }
        }

        private func ending(
            _ body: @escaping @Sendable () async throws -> Void
        ) -> @Sendable () async throws -> String {
            {
                try await body()
                return "ended"
            }
        }

        private func iterating(_ sequence: some AsyncSequence & Sendable) -> @Sendable () async throws -> String {
            ending { for try await _ in sequence {} }
        }

        /// The result of the wait.
        var end: String {
            switch self {
            case .perform, .performQueued, .performPending, .ask: "The effect was cancelled."
            case .actionsSerially: "failure: The store was shut down or released."
            case .actionsConcurrently: "cancelled"
            default: "ended"
            }
        }
    }

    @Test(
        "Waiting callers resume immediately when the last reference is released, even if runs ignore cancellation",
        arguments: Waiting.allCases)
    func resumesWaiters(_ waiting: Waiting) async throws {
        var (store, gone): (Relux.Store?, Gone) = try await makeStore(waiting.policy)
        try await begin(waiting, with: store)
        #expect(trace.entries == [])

        store = nil
        await world.rest()

        #expect(trace.entries == [waiting.end])
        #expect(gone.states.hasFired)
        #expect(!gone.parts.hasFired)
        await world.open(gate)
        #expect(gone.parts.hasFired)
        #expect(gone.observers.hasFired)
        #expect(clock.sleepers.isEmpty)
    }

    /// Fills the store with active, queued, and pending runs that ignore cancellation, and starts a task that waits.
    private func begin(_ waiting: Waiting, with store: Relux.Store?) async throws {
        let store = try #require(store)
        let lease = try await store.attach(
            Part<TagB>(sagas: [ClosureSaga<Counter<TagB>.Add> { _, _ in await gate.pass() }]))
        let dispatcher = store.dispatcher
        await world.settle {
            for _ in 1...3 { await dispatcher.dispatch(Work()) }
            await dispatcher.dispatch(Question())
            await dispatcher.dispatch(Counter<TagB>.Add())
        }
        await world.settle { [body = waiting.body(store, lease)] in
            do { trace.note(try await body()) } catch { trace.note("\(error)") }
        }
    }

    /// Everything that can be kept of a store other than a reference to it.
    enum Handle: CaseIterable {
        case dispatcher, dispatched, lease, context, wholeValues, selectedValues, iterator
        case actionStream, failures, callback

        func take(from store: Relux.Store, _ context: Relux.SagaContext) async throws -> any Sendable {
            switch self {
            case .dispatcher: return store.dispatcher
            case .dispatched: return await store.dispatch(Work())
            case .lease: return try await store.attach(Part<TagB>.counting())
            case .context: return context
            case .wholeValues: return store.values(of: ProbedState.self)
            case .selectedValues: return store.values { reader in reader[ProbedState.self]?.count }
            case .iterator:
                var iterator = store.values(of: ProbedState.self) { $0.count }.makeAsyncIterator()
                _ = await iterator.next()
                return Kept(value: iterator)
            case .actionStream: return store.actionStream(of: Tick.self)
            case .failures: return store.failures
            case .callback:
                return { [dispatcher = store.dispatcher] in dispatcher.send(Tick()) } as @Sendable () -> Void
            }
        }
    }

    // @unchecked Sendable: held by one test function, and its value is never used.
    private struct Kept<Value>: @unchecked Sendable {
        let value: Value
    }

    @Test(
        "What is kept of a store keeps neither the store, nor its states, nor its runs alive",
        arguments: Handle.allCases)
    func handlesKeepNothing(_ handle: Handle) async throws {
        let contexts = Trace<Relux.SagaContext>()
        var (store, gone): (Relux.Store?, Gone) = try await makeStore()
        try await store?.register(
            Part<TagC>(watchers: [ClosureWatcher { context in contexts.note(context) }])
        )
        await world.rest()
        let kept = try await handle.take(from: #require(store), #require(contexts.entries.first))
        await world.open(gate)

        store = nil
        await world.rest()

        #expect(gone.states.hasFired)
        #expect(gone.parts.hasFired)
        withExtendedLifetime((kept, contexts)) {}
    }

    // Neither used to be released, nor anything of the store that the dispatcher leads to.
    @Test(
        "The core of a store is released with its last run, and with it observers and middleware that hold a dispatcher",
        arguments: [nil, .concurrent, .concurrent.background] as [Relux.Policy?])
    func answeringPartsGo(policy: Relux.Policy?) async throws {
        var store: Relux.Store?
        let gone: [Event]
        do {
            let (observer, middleware) = (Answering(Probe()), Answering(Probe()))
            gone = [observer.probe.gone, middleware.probe.gone]
            store = Relux.Store(.init(executor: world, middleware: [middleware], observers: [observer]))
            for part in [observer, middleware] { part.dispatcher.withLock { $0 = store?.dispatcher } }
        }
        weak let core = store?.handle.core
        try await store?.register(WorkSaga(policy: policy ?? .concurrent) { _, _ in await gate.pass() }.module())
        await world.settle { [dispatcher = store?.dispatcher] in
            await dispatcher?.dispatch(Log.Action.add("action"))
            if policy != nil { await dispatcher?.dispatch(Work()) }
        }

        store = nil
        await world.rest()
        let goneBefore = gone.map(\.hasFired) + [core == nil]
        await world.open(gate)

        #expect(goneBefore == Array(repeating: policy == nil, count: 3))
        #expect(gone.map(\.hasFired) + [core == nil] == [true, true, true])
    }

    @Test("Releasing a store cancels its runs, and none of their later writes is reduced")
    func releaseCancels() async throws {
        var store: Relux.Store? = Relux.Store(.init(executor: world, observers: [observer]))
        try await store?.register(
            WorkSaga { _, context in
                await gate.pass()
                trace.note("cancelled: \(Task.isCancelled)")
                await context.dispatch(Log.Action.add("late"))
                context.send(Log.Action.add("late"))
                _ = try? await context.perform(Work())
                _ = await context.actions { Work() }
                trace.note("log: \((try? await context.state(of: Log.self)) as Any)")
            }.module()
        )
        await world.settle { [dispatcher = store?.dispatcher] in await dispatcher?.dispatch(Work()) }

        store = nil
        await world.rest()
        await world.open(gate)

        #expect(trace.entries == ["cancelled: true", "log: nil"])
        #expect(observer.records.entries.count == 1)
        #expect(observer.refusals.entries.count == 5)
        #expect(ends == ["end 1 cancelled"])
    }

    @Test("What was sent before the release is reduced, and what is sent after it is refused and reported")
    func sendsBeforeTheRelease() async throws {
        for _ in 1...100 {
            let observer = TraceObserver()
            var store: Relux.Store? = try await Relux.Store(.init(executor: world, observers: [observer])) {
                Log.Module()
            }
            let dispatcher = try #require(store?.dispatcher)

            for number in 1...5 { store?.send(Log.Action.add("\(number)")) }
            store = nil
            for number in 6...10 { dispatcher.send(Log.Action.add("\(number)")) }
            await world.rest()

            #expect(observer.records.entries.map(\.sequence) == [1, 2, 3, 4, 5])
            #expect(observer.refusals.entries.count == 5)
        }
    }

    @Test("An unregistered module releases its states, sagas, and watchers")
    func modulesLeaveNothing() async throws {
        let (store, gone) = try await makeStore()
        gate.open()
        await world.settle { await store.dispatch(Work()).finished() }

        await world.settle { await store.unregister(Part<TagA>.self) }

        #expect(gone.parts.hasFired)
    }

    @Test("A persisted state is released with its module, whether it was saved or not", arguments: [false, true])
    func persistedStatesAreReleased(isSaved: Bool) async throws {
        let store = Relux.Store(.init(clock: clock, executor: world))
        let gone = try await Probe.pass { probe in
            let module = Part<TagA>(states: [ProbedState(probe: probe)], persistence: [Unkept<ProbedState>()])
            try await world.settle { try await store.register(module) }.value
        }
        if isSaved { await store.dispatch(ProbedState.Action.count) }

        await world.settle { await store.unregister(Part<TagA>.self) }

        #expect(gone.hasFired)
    }

    @Test("Ten thousand runs of all kinds leave nothing behind in the tables")
    func tablesAreEmpty() async throws {
        let clock = ManualClock { [world] in await world.rest() }
        let store = Relux.Store(.init(clock: clock, executor: world))
        let runs = RelaxedCounter()
        try await store.register(
            Part<TagA>(
                states: [Counter<TagA>()],
                sagas: [MixedSaga(runs: runs)],
                flows: [
                    QuestionFlow { question, _ in
                        runs.increment()
                        if question.number % 5 == 0 { throw TestFailure() }
                        return question.number
                    }
                ],
                dependencies: [Log.Module()]
            )
        )
        for round in 0..<150 {
            await world.settle {
                await withDiscardingTaskGroup { group in
                    for number in 0..<100 {
                        group.addTask { await Self.use(store, round: round, number) }
                    }
                }
            }
            await clock.advance(by: .seconds(2))
        }

        await clock.advance(by: .seconds(10_000))
        try await store.idle()
        await world.rest()
        #expect(runs.count >= 10_000)
        #expect(await store.leftovers() == [:])
        #expect(try await store.state(of: Log.self) == Log())
    }

    private static func use(_ store: Relux.Store, round: Int, _ number: Int) async {
        let mixed = Mixed(number: number)
        switch number % 10 {
        case 0: await store.dispatch(mixed).finished()
        case 1: store.send(mixed)
        case 2: _ = try? await store.perform(mixed)
        case 3: _ = try? await store.perform(Question(number: number))
        case 4:
            await withDiscardingTaskGroup { group in
                group.addTask { _ = try? await store.perform(mixed) }
                group.cancelAll()
            }
        case 5:
            await store.actions(.concurrently) {
                mixed
                Question(number: number)
            }
        case 6: await store.cancel(MixedSaga.self)
        case 7:
            let values = store.values { reader in
                [reader[Log.self]?.entries.count, reader[Counter<TagA>.self]?.value, reader[Counter<TagD>.self]?.value]
            }
            let stream = store.actionStream(of: Counter<TagA>.Add.self)
            let failures = store.failures
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in values {} }
                group.addTask { for await _ in stream {} }
                group.addTask { for await _ in failures {} }
                await store.dispatch(Counter<TagA>.Add())
                group.cancelAll()
            }
        case 8:
            let lease = try? await store.attach(Part<TagB>.counting())
            if round % 2 == 0 { await lease?.end() }
        default:
            if number == 99, round % 10 == 0 { await store.reset() } else { await store.dispatch(mixed) }
        }
    }

    /// An effect whose number decides the policy, and how its run ends: in every possible way.
    private struct Mixed: Relux.Effect, Hashable {
        let number: Int

        func run(in context: Relux.SagaContext) async throws {
            switch number % 7 {
            case 0: try await context.sleep(for: .seconds(1))
            case 1: throw TestFailure()
            case 2: _ = try await context.perform(Question(number: number))
            case 3: try await context.timeout(after: .milliseconds(1)) { try await $0.sleep(for: .seconds(1)) }
            case 4: await context.dispatch(Work(name: "nobody's")).finished()
            case 5: await context.dispatch(Counter<TagA>.Add())
            default: break
            }
        }
    }

    private struct MixedSaga: Relux.Saga {
        let runs: RelaxedCounter

        func policy(for trigger: Mixed) -> Relux.Policy {
            let policies: [Relux.Policy] = [
                .concurrent, .latest, .leading, .serial, .debounce(.seconds(1)), .throttle(.seconds(1)),
            ]
            runs.increment()
            return policies[trigger.number % policies.count]
        }

        func actionOnCancel(_ trigger: Mixed) -> (any Relux.Action)? { Counter<TagA>.Add() }
        func run(_ trigger: Mixed, in context: Relux.SagaContext) async throws { try await trigger.run(in: context) }
    }

    // A concurrent run has no lane, and a serial one does. One that could be cancelled leads to its saga until it ends.
    @Test("A saga that keeps its context is released with its module", arguments: [Relux.Policy.concurrent, .serial])
    func keepersAreReleased(policy: Relux.Policy) async throws {
        let store = Relux.Store()
        let gone = try await Probe.pass { probe in
            // As a saga with a connection does to handle incoming messages.
            let contexts = Trace<Relux.SagaContext>()
            let saga = WorkSaga(policy: policy, cleanup: { _ in .add("cancelled") }) { _, context in
                withExtendedLifetime(probe) { contexts.note(context) }
            }
            try await store.register(Part<TagA>(sagas: [saga]))
        }
        try await store.perform(Work())

        await store.unregister(Part<TagA>.self)

        #expect(await gone.happened())
    }

    @Test("A watcher that has ended keeps and takes no actions, even if something keeps its context")
    func endedWatchersKeepNoActions() async throws {
        let contexts = Trace<Relux.SagaContext>()
        let watcher = ClosureWatcher(listens: [ProbedAction.self]) { context in
            contexts.note(context)
            await gate.pass()
        }
        let store = try await makeStore(
            executor: world, observers: [HookObserver(onRefusal: { trace.note($0.name) })], watchers: [watcher])
        let gone = await Probe.pass { await store.dispatch(ProbedAction(probe: $0)) }
        await world.rest()
        let isKeptBefore = !gone.hasFired

        await world.open(gate)

        #expect(isKeptBefore)
        #expect(gone.hasFired)
        #expect(trace.entries == [])
        await store.dispatch(ProbedAction(probe: Probe()))
        #expect(trace.entries == ["actionNotTaken"])
        withExtendedLifetime(contexts) {}
    }

    @Test(
        "A cancelled wait through a context leaves nothing behind in its run, even just after what it waits for",
        arguments: [false, true])
    func cancelledWaitsLeaveNothing(isOver: Bool) async throws {
        let contexts = Trace<Relux.SagaContext>()
        let saga = WorkSaga { _, context in
            contexts.note(context)
            await gate.pass()
        }
        let store = try await makeStore(executor: world, saga)
        await world.settle { await store.dispatch(Work()) }
        let context = try #require(contexts.entries.first)

        let states = await world.settle { try await context.wait { (log: Log) in log.entries.count > 0 } }
        let actions = await world.settle { try await context.first(of: Tick.self) }
        let waits = await store.leftovers()["waits"]
        // Both resume their tasks, which are cancelled before they run.
        if isOver {
            await store.dispatch(Log.Action.add("a"))
            await store.dispatch(Tick())
        }
        states.cancel()
        actions.cancel()
        await world.rest()

        #expect(waits == 2)
        #expect(await store.leftovers()["waits"] == nil)
        gate.open()
    }
}
