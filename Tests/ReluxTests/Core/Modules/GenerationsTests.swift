import Relux
import TestFixtures
import Testing

@Suite("Generations of a module", .timeLimit(.minutes(10)))
struct GenerationsTests {
    @Test("a registration during an unregistration that is still waiting creates a new generation")
    func registersMeanwhile() async throws {
        let gate = Gate()
        let removed = Gate()
        let trace = Trace<String>()
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [HookObserver(onRemoval: { removed.open() }), observer]))
        let module = Part<TagA>(
            states: [Counter<TagA>()],
            sagas: [
                WorkSaga { work, context in
                    if work.name == "old" { await gate.pass() }
                    await context.dispatch(Counter<TagA>.Add(amount: work.name == "old" ? 100 : 1))
                    trace.note(work.name)
                }
            ]
        )
        try await store.register(module)
        await store.dispatch(Counter<TagA>.Add(amount: 10))
        await store.dispatch(Work(name: "old"))
        await gate.arrivals()
        let unregistration = Task {
            await store.unregister(Part<TagA>.self)
            trace.note("unregistered")
        }
        await removed.pass()

        try await store.register(module)
        #expect(await store.count(of: TagA.self) == 0)
        try await store.perform(Work(name: "new"))
        gate.open()
        await unregistration.value

        #expect(trace.entries == ["new", "old", "unregistered"])
        #expect(await store.count(of: TagA.self) == 1)
        #expect(observer.reasons == ["staleWrite"])
        await store.unregister(Part<TagA>.self)
        #expect(await store.count(of: TagA.self) == nil)
    }
}
