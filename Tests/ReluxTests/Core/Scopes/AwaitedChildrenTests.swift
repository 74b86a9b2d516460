import Relux
import TestFixtures
import Testing

/// A child that is being loaded isn't one that doesn't exist.
@Suite("Children that are being loaded", .timeLimit(.minutes(10)))
struct AwaitedChildrenTests: Staged {
    private static let saved = Log(entries: ["saved"])

    let scene = Scene()

    /// A store with a page that is being loaded.
    private func makeStore() async throws -> (store: Relux.Store, page: Relux.Scope) {
        let shelf = Shelf(Self.saved, loads: gate)
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { KeptPage(id: $0, on: shelf) }
        }
        await dispatching(Pages.Action.open("1"), in: store)
        return (store, store.scope(of: KeptPage.self, id: "1"))
    }

    @Test("values and a wait for a condition wait for the load, and the values begin with what was loaded")
    func values() async throws {
        let (store, page) = try await makeStore()
        let reading = Task {
            var values: [Log] = []
            for await value in page.values(of: Log.self) {
                values.append(value)
                if value.entries.count == 2 { break }
            }
            return values
        }
        async let reached = page.wait(until: Log.self) { $0.entries == ["saved"] }

        gate.open()
        #expect(try await reached == Self.saved)
        try await store.idle()
        await page.dispatch(Log.Action.add("new"))

        let values = await reading.value
        #expect(values.first?.entries.first == "saved")
        #expect(values.last == Log(entries: ["saved", "new"]))
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("values end, and a wait throws, when the id goes before the load has ended")
    func removed() async throws {
        let (store, page) = try await makeStore()
        let reading = Task { await page.values(of: Log.self).elements() }

        await store.dispatch(Pages.Action.close("1"))
        #expect(await reading.value == [])
        await page.dispatch(Log.Action.add("late"))
        gate.open()

        guard case .noInstance(page) = observer.refusals.entries.last?.reason else {
            Issue.record("\(observer.refusals.entries)")
            return
        }
    }

    @Test("an action to it is refused, wherever it is dispatched, and the reason names the load")
    func action() async throws {
        let (store, page) = try await makeStore()
        let early = Relux.ChildAction(KeptPage.self, id: "1", Log.Action.add("early"))
        try await store.register(Gallery.Picture(id: 1))

        let receipt = await page.dispatch(Log.Action.add("early"))
        await store.dispatch(early)
        await store.scope(of: Gallery.Picture.self, id: 1).dispatch(early)
        await store.dispatch(Relux.Dismissal(of: page))
        gate.open()
        try await store.idle()

        #expect(receipt.sequence == nil)
        #expect(observer.reasons == Array(repeating: "instanceLoading", count: 4))
        let refusal = observer.refusals.entries.first
        guard case .instanceLoading(let scope, let states) = refusal?.reason else { return }
        #expect(scope == page)
        #expect(states.map { "\($0)" } == ["Log"])
        #expect(refusal?.description.contains("is being loaded") == true)
        #expect(try await page.state(of: Log.self) == Self.saved)
    }

    @MainActor
    @Test("a selection from any states shows that there are none, and then what was loaded")
    func viewState() async throws {
        let (store, page) = try await makeStore()
        // A single state has nothing to show.
        #expect(throws: Relux.StoreError.self) { try page.viewState(of: Log.self) }
        let shown = try page.viewState { $0[Log.self]?.entries ?? [] }
        #expect(shown.value == [])

        gate.open()
        try await store.idle()
        store.doNow(Pages.Action.close("another"))

        #expect(shown.value == ["saved"])
    }

    @Test("values that wait end with the store")
    func storeEnds() async throws {
        let (store, page) = try await makeStore()
        let reading = Task { await page.values(of: Log.self).elements() }

        async let end: Void = store.shutdown()
        #expect(await reading.value == [])
        gate.open()

        await end
    }

    @Test("an instance that is loaded inside another one hides none of its module outside")
    func outside() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            Log.Module()
            Gallery.Picture(id: 1)
            KeptPage(id: "2", persistence: [Unkept<Log>()])
        }
        let (inner, shelf) = (store.scope(of: Gallery.Picture.self, id: 1), Shelf(Self.saved, loads: gate))
        let loading = Task { try await inner.register(KeptPage(id: "1", on: shelf)) }
        await gate.arrivals()

        await inner.dispatch(Relux.ChildAction(KeptPage.self, id: "2", Log.Action.add("a")))
        await inner.dispatch(Relux.ChildAction(KeptPage.self, id: "1", Log.Action.add("early")))

        #expect(await inner.read { $0.states(of: Log.self, in: KeptPage.self).map(\.state) } == [Log("a")])
        #expect(observer.reasons == ["instanceLoading"])
        gate.open()
        try await loading.value
    }

    @Test("a registration fails at once when the store is released, whether or not its load returns")
    func released() async throws {
        let page = KeptPage(id: "1", persistence: [Unkept.stubborn(Self.saved, behind: gate)])
        var store: Relux.Store? = try await Relux.Store { Gallery.Picture(id: 1) }
        let inner = try #require(store).scope(of: Gallery.Picture.self, id: 1)
        let attaching = Task { await Relux.StoreError.name { _ = try await inner.attach(page) } }
        await gate.arrivals()

        store = nil

        #expect(await attaching.value == "storeShutDown")
        gate.open()
    }
}
