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

    @Test("a second instance is reported as shared, and the first one stays, whose watchers aren't restarted")
    func firstInstanceStays() async throws {
        @Sendable func part(_ value: Int, _ answer: String) -> Part<TagA> {
            Part(
                states: [Counter<TagA>(value: value)], flows: [AskFlow<TagA>(answer: answer)],
                watchers: [ClosureWatcher { _ in }])
        }
        let store = try await Relux.Store(.init(observers: [observer])) { part(1, "first") }

        try await store.register(part(2, "second"))

        let told = observer.trace.entries
        #expect(told.count { $0.hasPrefix("start") } == 1)
        #expect(told.count { $0.hasPrefix("registered") } == 1)
        #expect(told.filter { $0.hasPrefix("shared") } == ["shared Part<TagA>"])
        #expect(await store.count(of: TagA.self) == 1)
        #expect(try await store.perform(Ask<TagA>()) == "first")
        #expect(observer.refusals.entries.isEmpty)
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
