import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("TestStore", .timeLimit(.minutes(10)))
struct TestStoreTests {
    @Test("a test that states everything passes")
    func tellsEverything() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }

        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }
        await store.receive(Finder.State.Action.answered("a!")) { (state: inout Finder.State) in state.answer = "a!" }
        await store.finish()

        #expect(try await store.state(of: Finder.State.self).answer == "a!")
    }

    @Test("the changes that an action makes to several states are stated in one step")
    func severalStates() async throws {
        let store = try await TestStore {
            Finder.Module(service: PromptFinder())
            Tally.Module()
        }

        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in
            state.query = "a"
        } _: { (tally: inout Tally.State) in
            tally.count = 1
        }
        await store.receive(Finder.State.Action.answered("a!")) { (state: inout Finder.State) in state.answer = "a!" }
        await store.finish()
    }

    @Test("an action that a saga dispatches after a delay is received once the time has advanced")
    func delays() async throws {
        let store = try await TestStore { Quiz.Module() }

        let asking = await store.perform(Quiz.Ask(number: 21))
        await store.receive(Quiz.Note.asked(21)) { (state: inout Quiz.State) in state.last = 21 }
        await store.advance(by: .seconds(1))
        let answer = try await asking.output()
        await store.finish()

        #expect(answer == 42)
        #expect(store.clock.now.offset == .seconds(1))
    }

    @Test("a performed effect throws if it fails, and if it is cancelled")
    func failingPerformance() async throws {
        let store = try await TestStore { Quiz.Module() }

        let failing = await store.perform(Quiz.Ask(number: 0))
        let cancelled = await store.perform(Quiz.Ask(number: 5))
        await store.receive(Quiz.Note.self, where: { $0 == .asked(5) }) { (state: inout Quiz.State) in state.last = 5 }
        await cancelled.cancel()

        let failure = await #expect(throws: Relux.EffectError.self) { try await failing.output() }
        let cancellation = await #expect(throws: Relux.EffectError.self) { try await cancelled.output() }
        #expect(failure?.description == "The effect failed: Failure()")
        #expect(cancellation?.description == "The effect was cancelled.")
        await store.finish()
    }

    @Test("an action is received by its type or by a predicate, and is then returned")
    func receiveByType() async throws {
        let store = try await TestStore(exhaustivity: .off) { Finder.Module(service: PromptFinder()) }

        await store.dispatch(Finder.Find(query: "a"))
        let first = await store.receive(Finder.State.Action.self)
        await store.dispatch(Finder.Find(query: "b"))
        let second = await store.receive(Finder.State.Action.self, where: { $0 != .failed })

        #expect(first == .answered("a!"))
        #expect(second == .answered("b!"))
    }

    @Test("without exhaustivity, only what is stated is checked")
    func notExhaustive() async throws {
        let store = try await TestStore(exhaustivity: .off) {
            Finder.Module(service: PromptFinder())
            Tally.Module()
        }

        await store.dispatch(Finder.Find(query: "a"))
        await store.dispatch(Finder.Find(query: "b")) { (tally: inout Tally.State) in tally.count = 2 }
        await store.receive(Finder.State.Action.answered("b!"))
        await store.dispatch(Finder.Find(query: "c"))
        await store.finish()
    }

    @Test("changes made by no action are stated on their own")
    func reset() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }
        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }
        await store.receive(Finder.State.Action.answered("a!")) { (state: inout Finder.State) in state.answer = "a!" }

        try await store.run { await $0.reset() }
        await store.changed { (state: inout Finder.State) in state = .init() }

        await store.finish()
    }

    @Test(
        "actions that a watcher dispatches at its start are received, beginning with the initial states",
        arguments: 0..<20 as Range<UInt64>
    )
    func watchers(seed: UInt64) async throws {
        let store = try await TestStore(seed: seed) { Greeter.Module() }

        await store.receive(Finder.State.Action.answered("hello")) { (state: inout Finder.State) in
            state.answer = "hello"
        }
        await store.finish()
    }

    @Test("states of modules registered later need not be stated, but their changes do")
    func laterModules() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }

        try await store.run { try await $0.register(Tally.Module()) }
        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in
            state.query = "a"
        } _: { (tally: inout Tally.State) in
            tally.count += 1
        }
        await store.receive(Finder.State.Action.self) { (state: inout Finder.State) in state.answer = "a!" }

        await store.finish()
    }

    @Test("a change of a state that was added since the last step is stated")
    func newStates() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }

        try await store.run { store in
            try await store.register(Tally.Module())
            await store.dispatch(Finder.Find(query: "a"))
        }
        await store.receive(Finder.Find(query: "a")) { (state: inout Finder.State) in
            state.query = "a"
        } _: { (tally: inout Tally.State) in
            tally.count = 1
        }
        await store.receive(Finder.State.Action.self) { (state: inout Finder.State) in state.answer = "a!" }

        await store.finish()
    }

    @Test("a step with a limit waits for work that has left the scheduler")
    func workElsewhere() async throws {
        let gate = Gate()
        let store = try await TestStore { Finder.Module(service: DetachedFinder(gate: gate)) }
        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }

        await gate.arrivals()
        gate.open()
        await store.receive(Finder.State.Action.answered("a"), within: .seconds(60)) { (state: inout Finder.State) in
            state.answer = "a"
        }

        await store.finish(within: .seconds(60))
    }

    @Test("a step can be made from the main actor, with closures that read its state")
    @MainActor
    func mainActor() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }
        let view = SearchView()

        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = view.text }
        await store.receive(Finder.State.Action.answered("a!")) { (state: inout Finder.State) in
            state.answer = view.text + "!"
        }

        await store.finish()
    }

    @Test("the same seed gives concurrent sagas the same turns")
    func turns() async throws {
        var orders: Set<[String]> = []
        for seed in [1, 1, 1, 2, 3, 4, 5, 6, 7] as [UInt64] {
            let store = try await TestStore(exhaustivity: .off, seed: seed) {
                Finder.Module(service: PromptFinder(), policy: .concurrent)
            }
            try await store.run { store in
                for query in ["a", "b", "c"] { await store.dispatch(Finder.Find(query: query)) }
            }
            if seed == 1, !orders.isEmpty { #expect(orders == [store.recorder.events.map(\.description)]) }
            orders.insert(store.recorder.events.map(\.description))
        }

        #expect(orders.count > 2)
    }

    @Test("releasing the last reference releases a store")
    func lifetime() async throws {
        let released: Weak<TestStore>
        let executor: Weak<SeededExecutor>
        do {
            let store = try await TestStore { Finder.Module(service: PromptFinder()) }
            released = Weak(store)
            executor = Weak(store.executor)
            await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }
            await store.receive(Finder.State.Action.self) { (state: inout Finder.State) in state.answer = "a!" }
            await store.finish()
        }

        #expect(released.object == nil)
        #expect(executor.object == nil)
    }

    @Test("a store that outlives its test store refuses actions, and isn't stuck on an executor that nobody drives")
    func longLivedStore() async throws {
        let testStore = Shared<TestStore?>(try await TestStore(exhaustivity: .off) { Quiz.Module() })
        let store = try await testStore.value?.run { $0 }
        testStore.value = nil

        #expect(await store?.dispatch(Quiz.Note.asked(1)).sequence == nil)
    }
}

@MainActor
private final class SearchView {
    let text = "a"
}

/// A service that answers from a detached task.
private struct DetachedFinder: FinderService {
    let gate: Gate

    func answer(to query: String) async throws -> String {
        await Task.detached {
            await gate.pass()
            return query
        }.value
    }
}

private enum Greeter {
    struct Watcher: Relux.Watcher {
        func watch(in context: Relux.SagaContext) async throws {
            await context.dispatch(Finder.State.Action.answered("hello"))
        }
    }

    struct Module: Relux.Module {
        var watchers: [any Relux.Watcher] { [Watcher()] }
        var dependencies: [any Relux.Module] { [Finder.Module(service: PromptFinder())] }
    }
}
