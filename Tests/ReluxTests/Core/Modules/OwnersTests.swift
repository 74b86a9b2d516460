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

    @Test("a module that only leases hold can't be unregistered by name")
    func leasedIsReported() async throws {
        let store = Relux.Store(.init(observers: [observer]))
        let lease = try await store.attach(Part<TagA>.counting())

        await store.unregister(Part<TagA>.self, fileID: "App/Here.swift", line: 7)

        #expect(await store.count(of: TagA.self) == 0)
        #expect(
            observer.refusals.entries.map(\.description) == [
                "ReluxTests.Part<ReluxTests.TagA> remains registered (App/Here.swift:7): 1 lease(s), or "
                    + "states that have it as a child, hold it. End the leases, and remove its id from those states."
            ]
        )
        await lease.end()
        #expect(await store.count(of: TagA.self) == nil)
    }

    /// A module that records which of its properties are read.
    private struct Asked: Relux.Module {
        let asked: Trace<String>

        var states: [any Relux.State] { noted("states", [Counter<TagA>()]) }
        var reducers: [Relux.Reducer] { noted("reducers", []) }
        var sagas: [any Relux.Saga] { noted("sagas", []) }
        var flows: [any Relux.Flow] { noted("flows", []) }
        var watchers: [any Relux.Watcher] { noted("watchers", []) }
        var dependencies: [any Relux.Module] { noted("dependencies", []) }

        private func noted<Value>(_ property: String, _ value: Value) -> Value {
            asked.note(property)
            return value
        }
    }

    @Test("a module's properties are read once, and those of an instance that isn't used are not read")
    func askedOnce() async throws {
        let first = Trace<String>()
        let second = Trace<String>()
        let store = Relux.Store()

        try await store.register(Asked(asked: first), Asked(asked: second))
        try await store.register(Part<TagB>(dependencies: [Asked(asked: second)]))
        await store.dispatch(Counter<TagA>.Add())
        await store.reset()
        _ = try await store.attach(Asked(asked: second))

        #expect(first.entries.sorted() == ["dependencies", "flows", "reducers", "sagas", "states", "watchers"])
        #expect(second.entries == [])
    }
}
