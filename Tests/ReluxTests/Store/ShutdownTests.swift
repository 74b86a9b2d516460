import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Shutdown", .timeLimit(.minutes(10)))
struct ShutdownTests {
    private let world = SeededExecutor(seed: 8)
    private let gate = Gate()
    private let trace = Trace<String>()
    private let observer = TraceObserver()

    private func makeStore() async throws -> Relux.Store {
        let store = Relux.Store(.init(executor: world, observers: [observer]))
        try await store.register(
            WorkSaga { [gate, trace] _, _ in
                await gate.pass()
                trace.note("ran")
            }.module()
        )
        return store
    }

    @Test("one step removes everything: states, modules, routes, and leases, which may still be ended")
    func removesEverything() async throws {
        let store = try await makeStore()
        let lease = try await store.attach(Part<TagA>.counting())

        await store.shutdown()

        #expect(await store.contents() == [:])
        #expect(await store.leftovers() == [:])
        #expect(
            observer.trace.entries.filter { $0.hasPrefix("un") } == [
                "unregistered Part<TagA>", "unregistered SagaModule", "unregistered Module",
            ]
        )
        await lease.end()
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a second shutdown also waits for the runs, and reports nothing")
    func twice() async throws {
        let store = try await makeStore()
        await world.settle { await store.dispatch(Work()) }

        for number in 1...2 {
            await world.settle { [trace] in
                await store.shutdown()
                trace.note("returned \(number)")
            }
        }

        #expect(trace.entries == [])
        await world.rest(opening: gate)
        #expect(trace.entries.first == "ran")
        #expect(trace.entries.sorted() == ["ran", "returned 1", "returned 2"])
        #expect(observer.refusals.entries.isEmpty)
        await store.shutdown()
    }

    @Test("sequences that are created later are empty")
    func laterSequences() async throws {
        let store = try await Relux.Store { Log.Module() }
        await store.shutdown()

        for await _ in store.values(of: Log.self, { $0.entries.count }) { trace.note("late") }
        for await _ in store.values({ _ in 1 }) { trace.note("late") }
        for await _ in store.actionStream(ofAny: Tick.self) { trace.note("late") }
        for await _ in store.failures { trace.note("late") }

        #expect(trace.entries == [])
    }

    @Test("after shutdown, there is nothing to cancel, and the store is idle")
    func isIdle() async throws {
        let store = try await makeStore()
        await store.shutdown()

        await store.cancel(WorkSaga.self)
        try await store.idle()

        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a store that was shut down can be released while runs ignore cancellation, and the shutdown then returns")
    func releasedMeanwhile() async throws {
        var store: Relux.Store? = try await makeStore()
        await world.settle { [dispatcher = store?.dispatcher] in await dispatcher?.dispatch(Work()) }
        await world.settle { [trace, handle = store?.handle] in
            await handle?.storeShutdown()
            trace.note("returned")
        }
        #expect(trace.entries == [])

        store = nil
        await world.rest()

        #expect(trace.entries == ["returned"])
        await world.rest(opening: gate)
        #expect(observer.trace.entries.last == "end 1 cancelled")
    }
}
