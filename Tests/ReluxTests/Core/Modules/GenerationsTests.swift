import Relux
import Testing

@Suite("Generations of a module", .timeLimit(.minutes(10)))
struct GenerationsTests {
    /// Reports that a module has been removed, before the call waits for the module's runs.
    private struct Removals: Relux.StoreObserver {
        let gate = Gate()

        func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) { gate.open() }
    }

    @Test("a registration during an unregistration that is still waiting creates a new generation")
    func registersMeanwhile() async throws {
        let gate = Gate()
        let removals = Removals()
        let trace = Trace<String>()
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [removals, observer]))
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
        await removals.gate.pass()

        try await store.register(module)
        #expect(await store.count(of: TagA.self) == 0)
        try await store.perform(Work(name: "new"))
        gate.open()
        await unregistration.value

        #expect(trace.entries == ["new", "old", "unregistered"])
        #expect(await store.count(of: TagA.self) == 1)
        #expect(observer.refusals.entries.count(where: \.isStale) == 1)
        await store.unregister(Part<TagA>.self)
        #expect(await store.count(of: TagA.self) == nil)
    }

    @Test("sagas of an old generation no longer receive triggers")
    func oldSagasGetNothing() async throws {
        let trace = Trace<String>()
        let store = Relux.Store()
        for name in ["old", "new"] {
            try await store.register(Part<TagA>(sagas: [WorkSaga { _, _ in trace.note(name) }]))
            if name == "old" { await store.unregister(Part<TagA>.self) }
        }

        try await store.perform(Work())

        #expect(trace.entries == ["new"])
    }

    @Test("registrations and unregistrations are ordered after earlier sends")
    func orderedAfterSends() async throws {
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [observer]))

        for _ in 1...100 {
            store.send(Counter<TagA>.Add())
            try await store.register(Part<TagA>.counting())
            store.send(Counter<TagA>.Add())
            await store.unregister(Part<TagA>.self)
        }

        let told = observer.trace.entries.filter { $0 != "refused" }.map { entry in
            entry.contains("registered") ? String(entry.prefix { $0 != " " }) : "reduced"
        }
        #expect(
            told == Array(repeating: ["reduced", "registered", "reduced", "unregistered"], count: 100).flatMap(\.self))
        #expect(observer.records.entries.map(\.states.count) == Array(repeating: [0, 1], count: 100).flatMap(\.self))
    }
}

extension Relux.Refusal {
    /// Whether the refusal is a write of a run that is no longer active.
    var isStale: Bool {
        if case .staleWrite = reason { true } else { false }
    }
}
