import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Waiting for an action or a state", .timeLimit(.minutes(10)))
struct WaitingTests: Staged {
    private typealias Add = Counter<TagA>.Add

    let scene = Scene()
    private let world = SeededExecutor(seed: 1)

    private static func store(
        _ sagas: any Relux.Saga..., on executor: SeededExecutor? = nil
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(executor: executor)) {
            Part<TagA>.counting()
            SagaModule(sagas: sagas)
        }
    }

    // MARK: First

    @Test("first returns the next action that matches, and no earlier one")
    func first() async throws {
        await Simulation.explore(seeds: 0..<100) { world in
            // Seeds are explored side by side, so each has a link of its own.
            let link = StoreLink()
            let saga = WorkSaga { _, context in
                await context.dispatch(Add(amount: 5))
                link.store?.send(Errand())
                let action = try await context.first(of: Add.self) { $0.amount > 3 }
                await context.dispatch(Log.Action.add("\(action.amount)"))
            }
            let errand = ClosureSaga<Errand> { _, context in
                for amount in [1, 4, 7] { await context.dispatch(Add(amount: amount)) }
            }
            let store = try await world.store {
                Part<TagA>.counting()
                SagaModule(sagas: [saga, errand])
            }
            link.connect(to: store)
            world.task { try await store.perform(Work()) }
            // The saga may also come too late for all of them.
            world.task {
                try await world.latency(.seconds(1)...(.seconds(1)))
                await store.dispatch(Add(amount: 9))
            }
            world.finally("one of the matching actions", of: Log.self) { log in
                log.entries == ["4"] || log.entries == ["7"] || log.entries == ["9"]
            }
        }
    }

    @Test("all end when the task is cancelled, before or meanwhile", arguments: CountWait.ofOneState)
    func cancelled(wait: CountWait) async throws {
        let store = try await Self.store()

        let task = Task { await Ending.of { try await wait(in: store) } }
        task.cancel()

        #expect(await task.value == .cancellationError)
        #expect(await store.leftovers() == [:])
    }

    @Test("all end when the store is released", arguments: CountWait.ofOneState)
    func released(wait: CountWait) async throws {
        var store: Relux.Store? = try await Self.store()
        let handle = Handle(handle: try #require(store).handle)
        let waiting = Task { await Ending.of { try await wait(in: handle) } }

        store = nil

        #expect(await waiting.value == .cancellationError)
    }

    /// A reader that doesn't keep its store alive.
    private struct Handle: Relux.StateReading {
        let handle: Relux.StoreHandle
    }

    @Test(
        "through the context of a run, all end with that run, in whichever task they wait",
        arguments: CountWait.ofOneState,
        [true, false])
    func endedRun(wait: CountWait, isCancelled: Bool) async throws {
        let waits = Trace<Task<Ending, Never>>()
        let store = try await Self.store(
            WorkSaga { [gate] _, context in
                waits.note(Task.detached { await Ending.of { try await wait(in: context) } })
                await gate.pass()
            }
        )
        await dispatching(Work(), in: store)

        if isCancelled { await store.cancel(WorkSaga.self) } else { gate.open() }
        let ending = await waits.entries[0].value
        gate.open()
        try await store.idle()

        #expect(ending == .cancellationError)
        #expect(await store.leftovers() == [:])
    }

    // MARK: Wait

    @Test(
        "wait returns the first value that met the condition, although the state has changed again or gone since",
        arguments: [false, true])
    func metInBetween(isGone: Bool) async throws {
        let store = try await Self.store(on: world)
        let waiting = await world.settle {
            try await store.wait(until: Counter<TagA>.self) { counter in counter.value >= 5 }
        }

        // The waiter runs only when the executor is driven again, so it can't come in between.
        for amount in [5, 2] { await store.dispatch(Add(amount: amount)) }
        if isGone { await store.unregister(Part<TagA>.self) }
        await world.rest()

        #expect(try await waiting.value.value == 5)
    }

    @Test(
        "wait throws the store's error if no module owns the state, or the instance is missing, which is also reported",
        arguments: [("Counter", false), ("c1", true)])
    func missing(name: String, inInstance: Bool) async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Log.Module() }

        let error = await #expect(throws: Relux.StoreError.self) {
            if inInstance {
                try await store.scope(of: Chat.Module.self, id: "c1").wait(until: Chat.State.self) { _ in true }
            } else {
                try await store.wait(until: Counter<TagB>.self) { _ in true }
            }
        }

        #expect(error?.description.contains(name) == true)
        #expect(observer.refusals.entries.map { $0.description.contains(name) } == [true])
    }

    @Test(
        "wait throws a cancellation error when the module of the state is unregistered, or the instance removed",
        arguments: [true, false])
    func removed(isInstance: Bool) async throws {
        let store = Relux.Store(.init(executor: world, observers: [observer]))
        try await store.register(Part<TagA>.counting(), Chat.Module(id: "c1"))
        let chat = store.scope(of: Chat.Module.self, id: "c1")

        let waiting = await world.settle {
            await Ending.of {
                if isInstance {
                    try await chat.wait(until: Chat.State.self) { _ in false }
                } else {
                    try await store.wait(until: Counter<TagA>.self) { _ in false }
                }
            }
        }
        if isInstance {
            await store.unregister(Chat.Module.self, id: "c1")
        } else {
            await store.unregister(Part<TagA>.self)
        }
        await world.rest()

        #expect(try await waiting.value == .cancellationError)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a wait that is over is no longer listed with its run", arguments: CountWait.ofOneState)
    func past(wait: CountWait) async throws {
        let store = try await Self.store(
            WorkSaga { [gate] _, context in
                try await wait(in: context)
                await gate.pass()
            }, on: world)
        await world.settle { await store.dispatch(Work()) }

        let before = await store.leftovers()["waits"]
        await world.settle { await store.dispatch(Add()) }
        let after = await store.leftovers()["waits"]
        await world.open(gate)

        #expect(before == 1)
        #expect(after == nil)
    }

    // MARK: Watchers

    @Test("in a watcher that listens, first takes what came since the registration, and leaves what comes after")
    func inbox() async throws {
        let watcher = ClosureWatcher(listens: [Add.self, Tick.self]) { context in
            await gate.pass()
            let first = try await context.first(of: Add.self) { $0.amount == 2 }
            await context.dispatch(Log.Action.add("\(first.amount)"))
            let second = try await context.first(of: Add.self)
            await context.dispatch(Log.Action.add("\(second.amount)"))
            for await action in context.actionStream(ofAny: Tick.self, Add.self) {
                await context.dispatch(Log.Action.add("\(action is Tick ? 0 : (action as? Add)?.amount ?? -1)"))
                if (action as? Add)?.amount == 6 { return }
            }
        }
        let store = try await Relux.Store {
            Part<TagA>.counting()
            SagaModule(watchers: [watcher])
        }

        for amount in 1...3 { await store.dispatch(Add(amount: amount)) }
        await store.dispatch(Tick())
        await store.dispatch(Add(amount: 4))
        await store.dispatch(Tick())
        gate.open()
        _ = await store.values(of: Log.self).first { $0.entries.count == 5 }
        await store.dispatch(Add(amount: 6))
        _ = await store.values(of: Log.self).first { $0.entries.count == 6 }

        #expect(try await store.log() == ["2", "3", "0", "4", "0", "6"])
    }

    @Test("a watcher that waits for an action ends with its module")
    func watcherEnd() async throws {
        let waiting = Gate()
        let ended = Trace<Ending>()
        let watcher = ClosureWatcher(listens: [Tick.self]) { context in
            waiting.open()
            ended.note(await Ending.of { _ = try await context.first(of: Tick.self) })
        }
        let store = try await Relux.Store { SagaModule(watchers: [watcher]) }
        await waiting.pass()

        await store.unregister(SagaModule.self)

        #expect(ended.entries == [.cancellationError])
    }
}
