import Relux
import Testing

/// Calls every verb of a store from main-actor code that reads main-actor state.
@Suite("A store used from the main actor", .timeLimit(.minutes(10)))
struct MainActorStoreTests {
    /// The state of a screen: isolated to the main actor, and not `Sendable` otherwise.
    final class Screen {
        var step = 2
        var steps = [1, 2, 3]
        var shown: [Int] = []

        var amount: Amount { Amount(value: step) }
    }

    private let screen = Screen()

    private func makeStore() async throws -> Relux.Store {
        let service = FixedAmountService(value: screen.step)
        return try await Relux.Store { Counting.Module(service: service) }
    }

    private func total(_ store: Relux.Store) async throws -> Int {
        try await store.state(of: Counting.State.self).total.value
    }

    @Test("A store is created empty, or with modules by a builder that reads main-actor state")
    func isMade() async throws {
        let screen = screen
        let empty = Relux.Store(.init(middleware: [Counting.Middleware()]))
        let store = try await Relux.Store { @MainActor in
            Counting.Module(service: FixedAmountService(value: screen.step))
            if screen.step > 1 { Extra.Module() }
        }

        try await store.perform(Counting.Effect.load)

        #expect(try await total(store) == 2)
        #expect(try await store.state(of: Extra.State.self).value == 7)
        #expect(await empty.read { reader in reader[Extra.State.self] } == nil)
    }

    @Test("Actions are dispatched with every verb, and builders read main-actor state")
    func actionsIn() async throws {
        let store = try await makeStore()

        store.send(Counting.State.Action.add(screen.amount))
        let one = await store.dispatch(Counting.State.Action.add(screen.amount))
        let batch = await store.dispatch(contentsOf: screen.steps.map { Counting.State.Action.add(Amount(value: $0)) })
        let built = await store.dispatch {
            Counting.State.Action.add(screen.amount)
            for step in screen.steps { Counting.State.Action.add(Amount(value: step)) }
            if screen.step > 100 { Counting.Effect.load } else { Counting.Effect.load }
        }
        await built.finished()
        let result = await store.actions(.concurrently) {
            Counting.State.Action.add(screen.amount)
            Counting.Effect.load
        }
        let serial = await store.actions { Counting.State.Action.add(screen.amount) }
        try await store.perform(Counting.Effect.load)
        let answer = try await store.perform(Counting.Total())

        #expect(one.sequence == 2)
        #expect(batch.sequence == 5)
        #expect(built.sequence == 10)
        #expect("\(result) \(serial)" == "success success")
        #expect(answer == 2 + 2 + 6 + 2 + 6 + 2 + 2 + 2 + 2 + 2)
    }

    @Test("A dispatcher's verbs accept main-actor state too")
    func dispatcher() async throws {
        let store = try await makeStore()
        let dispatcher = store.dispatcher

        dispatcher.send(Counting.State.Action.add(screen.amount))
        await dispatcher.dispatch(Counting.State.Action.add(screen.amount))
        await dispatcher.dispatch(contentsOf: [Counting.State.Action.add(screen.amount)])
        await dispatcher.dispatch { Counting.State.Action.add(screen.amount) }
        await dispatcher.actions(.serially) { Counting.State.Action.add(screen.amount) }
        try await dispatcher.perform(Counting.Effect.load)

        #expect(try await dispatcher.perform(Counting.Total()) == 12)
        #expect(dispatcher == store.dispatcher)
        #expect(await Relux.Dispatcher.none.dispatch(Counting.Poke()).sequence == nil)
    }

    @Test("States are read with closures that capture main-actor state")
    func statesOut() async throws {
        let store = try await makeStore()
        await store.dispatch(Counting.State.Action.add(screen.amount))

        let limit = screen.step
        let isReached = await store.read { reader in (reader[Counting.State.self]?.total.value ?? 0) >= limit }
        let thrown = try await store.read { reader in try reader.state(of: Counting.State.self).total }

        #expect(isReached)
        #expect(thrown == screen.amount)
    }

    @Test("Values, actions and failures are iterated on the main actor")
    func sequences() async throws {
        let screen = screen
        let store = try await makeStore()
        let factor = screen.step
        var whole = store.values(of: Counting.State.self).makeAsyncIterator()
        var selected = store.values(of: Counting.State.self) { $0.total.value * factor }.makeAsyncIterator()
        var read = store.values { reader in reader[Counting.State.self].map { $0.total.value * factor } }
            .makeAsyncIterator()
        let actions = store.actionStream(of: Counting.State.Action.self)
        let failures = store.failures
        let showing = Task {
            for await value in store.values(of: Counting.State.self, { $0.total.value }) {
                screen.shown.append(value)
                if value == 5 { return }
            }
        }
        #expect(await whole.next()?.total.value == 0)

        await store.dispatch(Counting.State.Action.add(Amount(value: 5)))
        await store.dispatch(Counting.Fail()).finished()
        await showing.value

        #expect(await whole.next()?.total.value == 5)
        #expect(await selected.next() == 10)
        #expect(await read.next() == 10)
        for await action in actions {
            #expect(action == .add(Amount(value: screen.step + 3)))
            break
        }
        for await failure in failures {
            #expect(failure.error is Counting.Fail.Failure)
            break
        }
        #expect(screen.shown.last == 5)
    }

    @Test("Synchronous verbs take main-actor state, and view states show what they have changed at once")
    func synchronously() async throws {
        try useNow(try await makeStore())

        #expect(screen.shown == [4, 16])
    }

    private func useNow(_ store: Relux.Store) throws {
        let screen = screen
        let factor = screen.step
        let whole = try store.viewState(of: Counting.State.self)
        let part = try store.viewState { (state: Counting.State) in state.total.value * factor }
        let read = try store.viewState { reader in reader[Counting.State.self].map { $0.total.value * factor } }
        let observation = part.observe { _, new in screen.shown.append(new) }

        store.dispatchNow(Counting.State.Action.add(screen.amount))
        store.dispatchNow(contentsOf: screen.steps.map { Counting.State.Action.add(Amount(value: $0)) })

        withExtendedLifetime(observation) {}
        #expect(whole.value.total.value == 8)
        #expect(part.value == 16)
        #expect(read.value == 16)
        #expect(try store.stateNow(of: Counting.State.self) == whole.value)
        #expect(store.readNow { reader in (reader[Counting.State.self]?.total.value ?? 0) > screen.step })
    }

    @Test("Instances are opened, closed, and looked up by main-actor state")
    func instances() async throws {
        let store = try await makeStore()
        let page = store.scope(of: Extra.Page.self, id: screen.step)

        try await store.register(Extra.Page(id: screen.step))
        #expect(await store.isOpen(page))
        let dismissal = await page.dismiss()
        await store.unregister(Extra.Page.self, id: screen.step)

        #expect(dismissal.sequence == nil)
        #expect(await !store.isOpen(page))
    }

    @Test("Modules are registered and unregistered, and a store is shut down")
    func lifetime() async throws {
        let store = Relux.Store()

        try await store.register(Counting.Module(service: FixedAmountService(value: screen.step)))
        let lease = try await store.attach(Extra.Module())
        #expect(try await store.state(of: Extra.State.self).value == 7)
        await lease.end()
        try await store.replace(Counting.Module(service: FixedAmountService(value: screen.step)))
        try await store.perform(Counting.Effect.load)
        try await store.saved()
        try await store.saved(Counting.State.self)
        try await store.discardSaved(Counting.State.self)
        await store.reset(except: [Counting.State.self])
        #expect(try await total(store) == 2)
        await store.reset()
        #expect(try await total(store) == 0)
        await store.cancel(Counting.Saga.self)
        await store.cancel(Counting.Saga.self, id: screen.step)
        await store.flush(Counting.Saga.self)
        await store.flush(Counting.Saga.self, id: screen.step)
        try await store.idle()
        try await store.idle(within: .seconds(60))
        await store.unregister(Counting.Module.self)
        await store.shutdown()

        await #expect(throws: Relux.StoreError.self) { try await store.state(of: Counting.State.self) }
    }

    @Test("The feature works off the main actor, because its conformances are nonisolated")
    func offTheMainActor() async throws {
        let total = try await Self.runElsewhere()

        #expect(total == 1_003)
    }

    /// Uses the whole feature in code that isn't isolated.
    @concurrent
    private nonisolated static func runElsewhere() async throws -> Int {
        let store = try await Relux.Store { Counting.Module(service: FixedAmountService(value: 1)) }
        let changes = store.values(of: Counting.State.self) { $0.total.value }
        try await store.perform(Counting.Effect.load)
        await store.dispatch {
            Counting.State.Action.add(Amount(value: 2))
            Counting.Poke()
        }
        _ = await changes.first { $0 == 1_003 }
        let isEqual = Counting.State() == Counting.State()
        return isEqual ? try await store.perform(Counting.Total()) : 0
    }
}
