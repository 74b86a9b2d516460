import Relux
import Testing

@Suite("Owners of a module", .timeLimit(.minutes(10)))
struct OwnersTests {
    private let observer = TraceObserver()

    @Test("a module is removed when it has been unregistered as often as it was registered")
    func ownersAreCounted() async throws {
        let store = Relux.Store()
        try await store.register(Part<TagA>.counting(), Part<TagA>.counting())
        try await store.register(Part<TagA>.counting())

        for _ in 1...2 {
            await store.unregister(Part<TagA>.self)
            #expect(await store.count(of: TagA.self) == 0)
        }
        await store.unregister(Part<TagA>.self)

        #expect(await store.count(of: TagA.self) == nil)
    }

    @Test("a second instance is reported as shared, and the first one stays")
    func firstInstanceStays() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            Part<TagA>(states: [Counter<TagA>(value: 1)], flows: [AskFlow<TagA>(answer: "first")])
        }

        try await store.register(
            Part<TagA>(states: [Counter<TagA>(value: 2)], flows: [AskFlow<TagA>(answer: "second")])
        )

        #expect(await store.count(of: TagA.self) == 1)
        #expect(try await store.perform(Ask<TagA>()) == "first")
        #expect(observer.trace.entries.filter { $0.hasPrefix("shared") } == ["shared Part<TagA>"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("registering a module again doesn't restart its watchers")
    func watchersStartOnce() async throws {
        let started = Trace<String>()
        let module = Part<TagA>(states: [Counter<TagA>()], watchers: [ClosureWatcher { _ in started.note("watcher") }])
        let store = try await Relux.Store(.init(observers: [observer])) { module }

        try await store.register(module)

        #expect(observer.trace.entries.filter { $0.hasPrefix("start") }.count == 1)
        #expect(observer.trace.entries.filter { $0.hasPrefix("registered") }.count == 1)
    }

    @Test("a module's properties are read once, and those of an instance that isn't used are not read")
    func askedOnce() async throws {
        let first = Trace<String>()
        let second = Trace<String>()
        let store = Relux.Store()

        try await store.register(Asked(asked: first), Asked(asked: second))
        try await store.register(Part<TagB>(dependencies: [Asked(asked: second)]))
        await store.dispatch(Log.Action.add("a"))
        await store.reset()
        _ = try await store.attach(Asked(asked: second))

        #expect(first.entries.sorted() == Asked.properties)
        #expect(second.entries == [])
    }
}
