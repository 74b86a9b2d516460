import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Shutdown", .timeLimit(.minutes(10)))
struct ShutdownTests: Staged {
    private let world = SeededExecutor(seed: 8)
    let scene = Scene()

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

    @Test("one step removes states, modules, routes, and leases, which may still be ended; then the store is idle")
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
        await store.cancel(WorkSaga.self)
        try await store.idle()
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
        await world.open(gate)
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
}
