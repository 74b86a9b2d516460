import Relux
import Testing

@Suite("ViewState", .timeLimit(.minutes(10))) @MainActor
struct ViewStateTests {
    private let observer = TraceObserver()
    /// A store that isn't released within a test.
    private let store: Relux.Store

    init() throws {
        store = try Relux.Store(.init(observers: [observer]), modules: [Log.Module()])
    }

    @Test("equal values change nothing and call nothing")
    func equalValues() async throws {
        let state = try store.viewState { reader in
            // Touched with each action, but equal every second time.
            (reader[Log.self]?.entries.count ?? 0) / 2
        }
        let seen = Trace<Int>()
        state.didChange = { [unowned state] _ in seen.note(state.value) }

        for number in 0..<4 { await store.dispatch(Log.Action.add("\(number)")) }
        await seen.entries(satisfy: { $0.last == 2 })

        #expect(seen.entries == [1, 2] || seen.entries == [2])
    }

    @Test("in an instance, it follows the next instance with the same id")
    func instanceAgain() async throws {
        let chat = try await openChat()
        let inner = chat.scope(of: Chat.Module.self, id: "inner")
        try await chat.register(Chat.Module(id: "inner"))
        inner.doNow(Chat.State.Action.received("a"))
        let whole = try inner.viewState(of: Chat.State.self)
        let part = try inner.viewState(of: Chat.State.self, \.messages)
        let selection = try inner.viewState { $0[Chat.State.self]?.messages ?? [] }
        func values() -> [[String]] { [whole.value.messages, part.value, selection.value] }

        for (old, entry) in [("a", "b"), ("b", "c")] {
            store.doNow(Inbox.State.Action.set([]))
            let kept = values()
            store.doNow(Inbox.State.Action.set(["c1"]))
            let outside = values()
            try await chat.register(Chat.Module(id: "inner"))
            inner.doNow(Chat.State.Action.received(entry))

            #expect(kept == [[old], [old], [old]])
            #expect(outside == [[old], [old], [old]])
            #expect(values() == [[entry], [entry], [entry]])
        }
    }

    @Test("the last value is that of the step that removes the module or the instance")
    func lastValues() async throws {
        let chat = try await openChat()
        let whole = try chat.viewState(of: Chat.State.self)
        let selection = try chat.viewState { $0[Chat.State.self]?.messages ?? ["nothing"] }

        // Away from the main actor, so that both steps are made before the next update.
        await Task.detached {
            await chat.dispatch(Chat.State.Action.received("last"))
            await store.dispatch(Inbox.State.Action.set([]))
        }.value
        await turn()

        #expect(whole.value.messages == ["last"])
        #expect(selection.value == ["last"])
    }

    /// What happens to two instances that a value reads from.
    @Test(
        "what it reads from may go at several places in one step, its own instance among them",
        arguments: [true, false])
    func severalGo(isOwnFirst: Bool) async throws {
        typealias Page = Gallery.Page
        try await store.register(Gallery.Module())
        await store.dispatch {
            Gallery.Pages.Action.open(1)
            Gallery.Pages.Action.showHelp("a")
        }
        let shown = try store.scope(of: Page.self, id: 1).viewState { reader in
            let helps = reader.states(of: Gallery.Help.State.self, in: Gallery.Help.self).map(\.id)
            return (reader[Page.State.self]?.heard ?? []) + helps
        }

        // Away from the main actor, so that no update comes in between.
        await Task.detached {
            _ = await store.dispatch {
                Relux.ChildAction(Page.self, id: 1, Page.State.Action.note("last"))
                if isOwnFirst { Gallery.Pages.Action.close(1) }
                Gallery.Pages.Action.showHelp("b")
                if !isOwnFirst { Gallery.Pages.Action.close(1) }
            }
        }.value
        await turn()

        #expect(shown.value == ["last", isOwnFirst ? "a" : "b"])
    }

    @Test("it goes on with what is left when two modules that it reads from go in one step")
    func modulesGo() async throws {
        let needing = Pages.Module(open: ["a", "b"]) { id in
            InstancePart(id: id, requires: [id == "a" ? Part<TagA>.self : Part<TagB>.self])
        }
        try await store.register(Part<TagA>.counting(from: 1), Part<TagB>.counting(from: 2), needing)
        await store.unregister(Part<TagA>.self)
        await store.unregister(Part<TagB>.self)
        let shown = try store.viewState { reader in
            reader[Counter<TagA>.self].map { [$0.value, reader[Counter<TagB>.self]?.value ?? 0] } ?? []
        }
        #expect(shown.value == [1, 2])

        await store.dispatch(Pages.Action.set([]))
        await turn()

        #expect(shown.value == [])
    }

    /// Opens a chat as the child of an inbox.
    private func openChat() async throws -> Relux.Scope {
        try await store.register(Inbox.Module())
        store.doNow(Inbox.State.Action.set(["c1"]))
        return store.scope(of: Chat.Module.self, id: "c1")
    }

    @Test("in the context of an instance's run, it doesn't follow the next instance")
    func contextOfInstance() async throws {
        let views = Trace<Relux.UI.ViewState<[String]>>()
        let viewing = WorkSaga { _, context in
            views.note(try await context.viewState(of: Log.self, \.entries))
            views.note(try await context.viewState { $0[Log.self]?.entries ?? [] })
        }
        try await store.register(InstancePart.logging("1", sagas: [viewing]))
        let scope = store.scope(of: InstancePart.self, id: "1")
        try await scope.perform(Work())
        scope.doNow(Log.Action.add("a"))

        await store.unregister(InstancePart.self, id: "1")
        try await store.register(InstancePart.logging("1", sagas: [viewing]))
        scope.doNow(Log.Action.add("b"))

        #expect(views.entries.map(\.value) == [["a"], ["a"]])
        #expect(observer.refusals.entries.map(\.description) == [])
    }

    @Test("in the context of a run of the root, it follows the next registration of the module")
    func contextOfRoot() async throws {
        let views = Trace<Relux.UI.ViewState<[String]>>()
        let errand = ClosureSaga<Errand> { _, context in
            views.note(try await context.viewState(of: Log.self, \.entries))
        }
        try await store.register(Part<TagA>(sagas: [errand]))
        try await store.perform(Errand())

        await store.unregister(Log.Module.self)
        try await store.register(Log.Module())
        store.doNow(Log.Action.add("b"))

        #expect(views.entries.map(\.value) == [["b"]])
    }

    @Test("it releases what it selects with as soon as it is released itself", arguments: [true, false])
    func releasedSelection(storeRemains: Bool) async throws {
        var probe: Probe? = Probe()
        let gone = try #require(probe).gone
        var store: Relux.Store? = try await Relux.Store { Log.Module() }
        var state: Relux.UI.ViewState<Int>? = try #require(store).viewState(of: Log.self) { [probe] log in
            log.entries.count + (probe == nil ? 1 : 0)
        }
        probe = nil
        store?.doNow(Log.Action.add("a"))
        #expect(state?.value == 1)

        if !storeRemains { store = nil }
        state = nil

        // This would hang if anything kept it.
        #expect(await gone.happened())
        let left = await store?.followerCount() ?? 0
        #expect(left == 0)
    }

    @Test(
        "if it outlives its store, it keeps what it shows, a selection from several states too, and not the state",
        arguments: [true, false])
    func outlivesStore(isShutDown: Bool) async throws {
        var store: Relux.Store? = try await Relux.Store { Log.Module() }
        let dispatcher = try #require(store).dispatcher
        let gone = try await Probe.pass { [store] probe in
            try await store?.register(Part<TagA>(states: [ProbedState(probe: probe)]))
        }
        let state = try #require(store).viewState(of: ProbedState.self) { _ in 1 }
        let selection = try #require(store).viewState { $0[Log.self]?.entries.count }
        dispatcher.doNow(Log.Action.add("a"))

        if isShutDown { await store?.shutdown() } else { store = nil }
        // It is refused, but brings view states up to date.
        dispatcher.doNow(Log.Action.add("b"))

        // This would hang if anything kept it.
        #expect(await gone.happened())
        #expect([state.value, selection.value] == [1, 1])
        withExtendedLifetime(store) {}
    }

    @Test("all that it leaves in the store is gone when it is released")
    func noTraces() async throws {
        let chat = try await openChat()
        let before = await store.leftovers()

        for _ in 0..<100 {
            _ = try chat.viewState(of: Chat.State.self)
            _ = try chat.viewState { $0[Log.self]?.entries }
            _ = try store.viewState(of: Inbox.State.self)
        }

        let after = await store.leftovers()
        #expect(before == after)
        let left = await store.followerCount()
        #expect(left == 0)
    }

    @Test("one that is released between a change and the update goes at once, and is followed no further")
    func releasedBeforeTheUpdate() async throws {
        var state: Relux.UI.ViewState<Log>? = try store.viewState(of: Log.self)
        weak let released = state
        let other = try store.viewState(of: Log.self)

        store.send(Log.Action.add("a"))
        // It reduces the action. The update has to wait for the main actor.
        _ = try store.lookNow(at: Log.self)
        #expect(state?.value.entries == [])
        state = nil
        #expect(released == nil)
        store.doNow(Log.Action.add("b"))

        #expect(other.value.entries == ["a", "b"])
        let left = await store.followerCount()
        #expect(left == 1)
    }

    @Test("it ends with the store while its module is gone")
    func storeLifetimeWithoutModule() async throws {
        var store: Relux.Store? = try await Relux.Store { Log.Module() }
        weak let released = store
        let state = try #require(store).viewState(of: Log.self)

        await store?.unregister(Log.Module.self)
        store = nil

        #expect(released == nil)
        #expect(state.value == Log())
    }

    @Test("a missing state, a missing instance, and a store that was shut down are errors that say so")
    func missing() async throws {
        let chat = store.scope(of: Chat.Module.self, id: "c1")

        let errors = [
            #expect(throws: Relux.StoreError.self) { _ = try store.viewState(of: Counter<TagA>.self) },
            #expect(throws: Relux.StoreError.self) { _ = try chat.viewState(of: Chat.State.self) },
            #expect(throws: Relux.StoreError.self) { _ = try chat.viewState { _ in 1 } },
        ]
        await store.shutdown()
        let late = #expect(throws: Relux.StoreError.self) { _ = try store.viewState { _ in 1 } }

        #expect(errors.map { $0?.name } == ["stateNotOwned", "noInstance", "noInstance"])
        #expect(late?.name == "storeShutDown")
        #expect(observer.refusals.entries.count == 4)
    }

    @Test("inside a store, none is made, and the error says so")
    func insideStore() async throws {

        let error = store.lookNow { _ in
            #expect(throws: Relux.StoreError.self) { _ = try store.viewState(of: Log.self) }
        }

        #expect(error?.name == "insideStore")
    }

    @Test("any number of observers get the old and the new value, until they are released")
    func observers() async throws {
        let state = try store.viewState(of: Log.self) { $0.entries.count }
        var calls: [String] = []
        let first = state.observe { old, new in calls.append("first \(old) → \(new)") }
        var second: Relux.UI.ViewObservation? = state.observe { old, new in calls.append("second \(old) → \(new)") }
        state.didChange = { old in calls.append("did \(old)") }

        store.doNow(Log.Action.add("a"))
        second = nil
        store.doNow(Log.Action.add("b"))

        #expect(second == nil)
        #expect(calls == ["did 0", "first 0 → 1", "second 0 → 1", "did 1", "first 1 → 2"])
        withExtendedLifetime(first) {}
    }

    @Test("an update without an end is cut off after 1,000 further rounds, and reported; the values are the newest")
    func endless() async throws {
        let (state, count) = (
            try store.viewState(of: Log.self), try store.viewState(of: Log.self) { $0.entries.count }
        )
        var calls = 0
        let (observed, ended, agree) = (Trace<Int>(), Trace<Int>(), Trace<Bool>())
        state.didChange = { [unowned state] _ in
            calls += 1
            beforeChange(of: count.value) {
                MainActor.assumeIsolated { agree.note(state.value.entries.count == count.value) }
            }
            if ended.entries.isEmpty { store.doNow(Log.Action.add("x")) }
        }

        store.doNow(Log.Action.add("a"))
        beforeChange(of: count.value) { observed.note(1) }
        ended.note(1)
        let endless = calls
        let (shown, counted) = (state.value.entries.count, count.value)
        store.doNow(Log.Action.add("b"))

        #expect(endless == 1_001)
        #expect(shown == 1_002)
        #expect(counted == 1_002)
        #expect(observer.reasons == ["endlessUpdates"])
        #expect(observer.refusals.entries.first?.description.contains("1,000") == true)
        // Everything goes on.
        #expect(calls == 1_002)
        #expect(state.value.entries.last == "b")
        #expect(count.value == 1_003)
        #expect(observed.entries == [1])
        // Also in the update that cuts it off, nothing sees one of them without the other.
        #expect(agree.entries.count > 1_000 && agree.entries.allSatisfy { $0 })
    }

    @Test("1,000 further rounds that come to an end are no mistake")
    func manyRounds() async throws {
        let state = try store.viewState(of: Log.self)
        state.didChange = { [unowned state] _ in
            if state.value.entries.count <= 1_000 { store.doNow(Log.Action.add("x")) }
        }

        store.doNow(Log.Action.add("a"))

        #expect(state.value.entries.count == 1_001)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("an update whose sets have no end is cut off as well, and the bindings are good afterwards")
    func endlessSets() async throws {
        try await store.register(Form.Module())
        let state = try store.viewState(of: Form.self)
        func toggle() -> Relux.UI.ViewBinding<Bool> { state.binding(\.isOn, sending: Form.Action.toggled) }
        let ended = Trace<Int>()
        state.didChange = { _ in if ended.entries.isEmpty { toggle().wrappedValue = !state.value.isOn } }

        toggle().wrappedValue = true
        ended.note(1)
        let isOn = state.value.isOn
        toggle().wrappedValue = !isOn

        #expect(state.value.isOn == !isOn)
        #expect(toggle().wrappedValue == !isOn)
        #expect(observer.refusals.entries.count == 1)
    }

}
