import Observation
import Relux
import Testing

@Suite("ViewState", .timeLimit(.minutes(10))) @MainActor
struct ViewStateTests {
    /// A list as UIKit and AppKit people write it: sections, stable ids, a selection that survives reloading.
    @MainActor
    private final class ListController {
        private(set) var rows: [String]
        private(set) var selectedRow: Int?
        private(set) var calls: [String] = []
        private var remembered: String?
        private let state: Relux.UI.ViewState<Log>
        private let (changes, changed) = AsyncStream.makeStream(of: Void.self)

        init(_ state: Relux.UI.ViewState<Log>) {
            self.state = state
            rows = state.value.entries
            state.willChange = { [unowned self] new in
                calls.append("will \(rows.count) → \(new.entries.count)")
                remembered = selectedRow.map { rows[$0] }
            }
            state.didChange = { [unowned self] old in
                rows = state.value.entries
                selectedRow = remembered.flatMap { rows.firstIndex(of: $0) }
                calls.append("did \(old.entries.count) → \(rows.count)")
                changed.yield()
            }
        }

        func select(_ row: String) { selectedRow = rows.firstIndex(of: row) }

        func change() async {
            var iterator = changes.makeAsyncIterator()
            await iterator.next()
        }
    }

    @Test("it has the present value at once")
    func present() async throws {
        let store = try await Relux.Store { Log.Module() }
        store.send(Log.Action.add("a"))

        let whole = try await store.viewState(of: Log.self)
        let part = try await store.viewState(of: Log.self) { $0.entries.count }
        let selection = try await store.viewState { reader in reader[Log.self]?.entries.first }

        #expect(whole.value.entries == ["a"])
        #expect(part.value == 1)
        #expect(selection.value == "a")
    }

    @Test("a controller is called once before and once after each change, and keeps its selection")
    func controller() async throws {
        let store = try await Relux.Store { Log.Module() }
        await store.dispatch(Log.Action.add("a"))
        let controller = ListController(try await store.viewState(of: Log.self))
        controller.select("a")

        await store.dispatch(Log.Action.add("b"))
        await controller.change()
        await store.dispatch(Log.Action.add("c"))
        await controller.change()

        #expect(controller.calls == ["will 1 → 2", "did 1 → 2", "will 2 → 3", "did 2 → 3"])
        #expect(controller.rows == ["a", "b", "c"])
        #expect(controller.selectedRow == 0)
    }

    @Test("Observation tracks the value")
    func tracking() async throws {
        let store = try await Relux.Store { Log.Module() }
        let state = try await store.viewState(of: Log.self) { $0.entries }
        let (changes, changed) = AsyncStream.makeStream(of: Void.self)

        withObservationTracking {
            _ = state.value
        } onChange: {
            changed.yield()
        }
        await store.dispatch(Log.Action.add("a"))
        var iterator = changes.makeAsyncIterator()
        await iterator.next()

        // `onChange` comes before the change, as `willSet` does; the main actor sets the value before it goes on.
        #expect(state.value == ["a"])
    }

    @Test("equal values change nothing and call nothing")
    func equalValues() async throws {
        let store = try await Relux.Store { Log.Module() }
        let state = try await store.viewState { reader in
            // Touched with each action, but equal every second time.
            (reader[Log.self]?.entries.count ?? 0) / 2
        }
        let (changes, changed) = AsyncStream.makeStream(of: Int.self)
        state.didChange = { [unowned state] _ in changed.yield(state.value) }

        for number in 0..<4 { await store.dispatch(Log.Action.add("\(number)")) }
        var iterator = changes.makeAsyncIterator()
        var seen: [Int] = []
        while seen.last != 2, let value = await iterator.next() { seen.append(value) }

        #expect(seen == [1, 2] || seen == [2])
    }

    @Test("it keeps its value while its module is gone, and follows the next registration", arguments: [false, true])
    func registeredAgain(isPart: Bool) async throws {
        let store = try await Relux.Store { Log.Module() }
        await store.dispatch(Log.Action.add("a"))
        let whole = try await store.viewState(of: Log.self)
        let part = try await store.viewState(of: Log.self) { $0.entries.last }
        let (changes, changed) = AsyncStream.makeStream(of: String?.self)
        whole.didChange = { [unowned whole] _ in if !isPart { changed.yield(whole.value.entries.last) } }
        part.didChange = { [unowned part] _ in if isPart { changed.yield(part.value) } }
        var iterator = changes.makeAsyncIterator()

        for (old, entry) in [("a", "b"), ("b", "c")] {
            await store.unregister(Log.Module.self)
            let kept = isPart ? part.value : whole.value.entries.last
            try await store.register(Log.Module())
            await store.dispatch(Log.Action.add(entry))
            var value: String?
            while value != entry, let next = await iterator.next() { value = next }

            #expect(kept == old)
            #expect(value == entry)
        }
    }

    @Test("in an instance, it follows the next instance with the same id", arguments: ["whole", "part", "reader"])
    func instanceAgain(way: String) async throws {
        let store = try await Relux.Store { Inbox.Module() }
        await store.dispatch(Inbox.State.Action.set(["c1"]))
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        let inner = chat.scope(of: Chat.Module.self, id: "inner")
        try await chat.register(Chat.Module(id: "inner"))
        await inner.dispatch(Chat.State.Action.received("a"))
        let views: [Relux.UI.ViewState<[String]>] = [
            try await inner.viewState(of: Chat.State.self, \.messages),
            try await inner.viewState { $0[Chat.State.self]?.messages ?? [] },
        ]
        let whole = try await inner.viewState(of: Chat.State.self)
        let (changes, changed) = AsyncStream.makeStream(of: [String].self)
        whole.didChange = { [unowned whole] _ in if way == "whole" { changed.yield(whole.value.messages) } }
        for (view, name) in zip(views, ["part", "reader"]) {
            view.didChange = { [unowned view] _ in if way == name { changed.yield(view.value) } }
        }
        var iterator = changes.makeAsyncIterator()

        for (round, entry) in ["b", "c"].enumerated() {
            await store.dispatch(Inbox.State.Action.set([]))
            // In the second round, all three have noticed that the instance is gone, and wait for the next one.
            while round == 1, await store.waiterCount() < 3 {}
            await store.dispatch(Inbox.State.Action.set(["c1"]))
            try await chat.register(Chat.Module(id: "inner"))
            await inner.dispatch(Chat.State.Action.received(entry))
            var value: [String] = []
            while value != [entry], let next = await iterator.next() { value = next }

            #expect(value == [entry])
        }
    }

    /// Creates two objects that follow the log, in the context of a run.
    private struct Viewing: Relux.Module, Identifiable {
        let id = 1
        let views: Trace<Relux.UI.ViewState<[String]>>

        var states: [any Relux.State] { [Log()] }
        var sagas: [any Relux.Saga] {
            [
                ClosureSaga<Work> { [views] _, context in
                    views.note(try await context.viewState(of: Log.self, \.entries))
                    views.note(try await context.viewState { $0[Log.self]?.entries ?? [] })
                }
            ]
        }
    }

    private func arrival(of value: [String], in view: Relux.UI.ViewState<[String]>) async {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self)
        view.didChange = { _ in changed.yield() }
        var iterator = changes.makeAsyncIterator()
        while view.value != value { await iterator.next() }
    }

    @Test("in the context of an instance's run, it doesn't follow the next instance")
    func contextOfInstance() async throws {
        let views = Trace<Relux.UI.ViewState<[String]>>()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Viewing(views: views) }
        let scope = store.scope(of: Viewing.self, id: 1)
        try await scope.perform(Work())
        await scope.dispatch(Log.Action.add("a"))
        for view in views.entries { await arrival(of: ["a"], in: view) }

        await store.unregister(Viewing.self, id: 1)
        try await store.register(Viewing(views: views))
        await scope.dispatch(Log.Action.add("b"))
        await arrival(of: ["b"], in: try await scope.viewState(of: Log.self, \.entries))
        // One that followed the new instance would ask and be refused again and again, whenever this lets it.
        for _ in 0..<50 { await store.read { _ in } }

        #expect(views.entries.map(\.value) == [["a"], ["a"]])
        // Each asks at most once whether the state comes back in an instance that is gone.
        #expect(observer.refusals.entries.count <= 2)
    }

    @Test("in the context of a run of the root, it follows the next registration of the module")
    func contextOfRoot() async throws {
        let views = Trace<Relux.UI.ViewState<[String]>>()
        let store = try await Relux.Store {
            Log.Module()
            SagaModule(sagas: [
                ClosureSaga<Errand> { _, context in views.note(try await context.viewState(of: Log.self, \.entries)) }
            ])
        }
        try await store.perform(Errand())

        await store.unregister(Log.Module.self)
        try await store.register(Log.Module())
        await store.dispatch(Log.Action.add("b"))

        for view in views.entries { await arrival(of: ["b"], in: view) }
        #expect(views.entries.map(\.value) == [["b"]])
    }

    @Test("it waits for its module quietly, and releases what it selects with when the store has gone")
    func quietWait() async throws {
        final class Token: Sendable {
            let end: AsyncStream<Never>.Continuation

            init(_ end: AsyncStream<Never>.Continuation) { self.end = end }

            deinit { end.finish() }
        }
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        var token: Token? = Token(end)
        let observer = TraceObserver()
        var store: Relux.Store? = try await Relux.Store(.init(observers: [observer])) { Log.Module() }
        let state = try await #require(store).viewState(of: Log.self) { [token] log in
            log.entries.count + (token == nil ? 1 : 0)
        }
        token = nil
        let (changes, changed) = AsyncStream.makeStream(of: Void.self)
        state.didChange = { _ in changed.yield() }
        await store?.dispatch(Log.Action.add("a"))
        var iterator = changes.makeAsyncIterator()
        await iterator.next()

        await store?.unregister(Log.Module.self)
        // If it didn't wait, but looked again and again, this would never end.
        while await store?.waiterCount() == 0 {}
        let refusals = observer.refusals.entries.filter { $0.action == nil }
        store = nil
        // This would hang if it went on looking for its module.
        for await _ in ends {}

        #expect(refusals.map(\.description) == [])
        #expect(state.value == 1)
    }

    @Test("it ends with the store while its module is gone")
    func storeLifetimeWithoutModule() async throws {
        var store: Relux.Store? = try await Relux.Store { Log.Module() }
        weak let released = store
        let state = try await #require(store).viewState(of: Log.self)

        await store?.unregister(Log.Module.self)
        store = nil

        #expect(released == nil)
        #expect(state.value == Log())
    }

    @Test("a missing state and a store that was shut down are errors that say so")
    func missing() async throws {
        let store = Relux.Store()

        await #expect(throws: Relux.StoreError.self) { try await store.viewState(of: Log.self) }
        await store.shutdown()
        do {
            _ = try await store.viewState(of: Log.self)
            Issue.record("There is no value.")
        } catch {
            guard case .storeShutDown = error else { throw error }
        }
    }

    @Test("it keeps no store alive, and its last value stays")
    func storeLifetime() async throws {
        var store: Relux.Store? = try await Relux.Store { Log.Module() }
        weak let released = store
        let state = try await #require(store).viewState(of: Log.self)

        store = nil

        #expect(released == nil)
        #expect(state.value == Log())
    }

    @Test("it is released while values are under way, without harm")
    func ownLifetime() async throws {
        let store = try await Relux.Store { Log.Module() }
        for number in 0..<200 {
            var state: Relux.UI.ViewState<Log>? = try await store.viewState(of: Log.self)
            weak let released = state
            store.send(Log.Action.add("\(number)"))

            state = nil

            #expect(released == nil)
        }
    }
}
