import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Opening actions", .timeLimit(.minutes(10)))
struct OpeningActionsTests: Staged {
    let scene = Scene()

    /// A module that notes in the log that it was opened.
    private struct Opened: Relux.Module, Identifiable {
        let id: String
        var dependencies: [any Relux.Module] = []
        var children: [Relux.Children] = []
        var states: [any Relux.State] = []
        var persistence: [any Relux.StatePersistence] = []
        var sagas: [any Relux.Saga] = []
        var extra: [any Relux.Action] = []
        var openingActions: [any Relux.Action] { [Log.Action.add("open \(id)")] + extra }

        /// A page with a tab, which triggers work.
        static func page(_ id: String, saga: WorkSaga = WorkSaga { _, _ in }) -> Opened {
            Opened(
                id: id, children: [.each(of: Tabs.self, \.open) { id, _ in Opened(id: id) }], states: [Tabs()],
                sagas: [saga], extra: [Work(name: id)])
        }
    }

    /// A module of the root.
    private static let needed = Part<TagA>(
        dependencies: [Log.Module()], openingActions: [Log.Action.add("open needed")])

    /// The tabs of a page.
    private struct Tabs: Relux.State {
        typealias Action = Never
        var open = ["tab"]
    }

    /// The root, whose list of pages opens instances.
    private struct Book: Relux.Module {
        var open: [String] = []
        var rules: [Relux.Rule] = []
        var sagas: [any Relux.Saga] = []
        var page: @Sendable (String) -> Opened = { .page($0) }

        var states: [any Relux.State] { [Log(), Inbox.State(open: open)] }
        var children: [Relux.Children] { [.each(of: Inbox.State.self, \.open) { id, _ in page(id) }] }
    }

    // MARK: Registration

    @Test("on a registration, they follow when all modules are connected, dependencies first")
    func registration() async throws {
        let first = Part<TagB>(dependencies: [Self.needed], openingActions: [Work(name: "first")])
        let store = Relux.Store(.init(observers: [observer]))

        // The first one's effect is handled by the second one.
        let saga = WorkSaga { work, context in await context.dispatch(Log.Action.add(work.name)) }
        try await store.register(first, saga.module())
        try await store.idle()

        #expect(try await store.log() == ["open needed", "first"])
        #expect(observer.refusals.entries.isEmpty)
        let trace = observer.trace.entries
        let lastRegistration = try #require(trace.lastIndex { $0.hasPrefix("registered") })
        let firstAction = try #require(trace.firstIndex { $0.hasPrefix("1 ") })
        #expect(lastRegistration < firstAction)
    }

    @Test("what accompanies the run of an opening action comes before the next opening action")
    func hooks() async throws {
        let store = try await Relux.Store {
            Part<TagA>(
                sagas: [HookedSaga<Job> { _, _ in }], dependencies: [Log.Module()],
                openingActions: [Job("a", .concurrent), Log.Action.add("second")])
        }

        #expect(try await store.log() == ["start a", "second"])
    }

    @Test("registering and attaching don't wait for what they trigger, and idleness does", arguments: [true, false])
    func waiting(attaches: Bool) async throws {
        let store = try await makeStore { work, context in await logBehindGate(work, context) }
        let module = Opened(id: "page", extra: [Work(name: "loaded")])
        let lease = attaches ? try await store.attach(module) : nil
        if !attaches { try await store.register(module) }

        #expect(try await store.log() == ["open page"])
        #expect(try await finalLog(of: store) == ["open page", "loaded"])
        await lease?.end()
    }

    @Test("they are dispatched in the scope of the instance")
    func scope() async throws {
        let store = try await Relux.Store { Log.Module() }

        try await store.register(Opened(id: "page", states: [Log()]))

        #expect(try await store.log() == [])
        #expect(try await store.scope(of: Opened.self, id: "page").state(of: Log.self).entries == ["open page"])
    }

    @Test("neither a reset nor a replacement nor a second registration dispatches them again")
    func once() async throws {
        let store = Relux.Store(.init(observers: [observer]))
        try await store.register(Log.Module(), Opened(id: "page"))

        await store.reset(except: [Log.self])
        await store.reset(only: [Opened.self])
        try await store.replace(Opened(id: "page", dependencies: [Self.needed]))
        try await store.register(Opened(id: "page"))

        // The dependency that the replacement brought is new.
        #expect(try await store.log() == ["open page", "open needed"])
    }

    // MARK: Children

    @Test(
        "those of children follow the opener in its step, after its rules, from the outside in, before the next action"
    )
    func children() async throws {
        let rule = Relux.Rule(on: Inbox.State.Action.self) { _, _ in [Log.Action.add("rule")] }
        let store = try await Relux.Store(.init(observers: [observer])) { Book(rules: [rule]) }

        let dispatched = await store.dispatch {
            Inbox.State.Action.open("a")
            Log.Action.add("next")
        }
        await dispatched.finished()

        #expect(try await store.log() == ["rule", "open a", "open tab", "next"])
        let records = observer.records.entries
        #expect(records.map(\.sequence) == [1, 2, 3, 4, 5, 6])
        #expect(records.map(\.follows) == [nil, 1, 1, 1, 1, nil])
        #expect(Set(records.map(\.step)) == [1])
        #expect(dispatched.sequence == 6)
    }

    @Test("an action that opens a page waits for what the page loads", arguments: [true, false])
    func load(performs: Bool) async throws {
        struct Push: Relux.Effect {}
        let page = WorkSaga { [gate, trace] work, _ in
            await gate.pass()
            trace.note(work.name)
        }
        let rule = Relux.Rule(on: Push.self) { _, _ in [Inbox.State.Action.open("a")] }
        let store = try await Relux.Store {
            Book(rules: [rule], sagas: [ClosureSaga<Push> { _, _ in }], page: { .page($0, saga: page) })
        }

        let push = Task {
            if performs {
                try await store.perform(Push())
            } else {
                await store.dispatch(Inbox.State.Action.open("a")).finished()
            }
            trace.note("push")
        }
        await gate.arrivals()
        gate.open()
        try await push.value

        #expect(trace.entries == ["a", "push"])
    }

    @Test(
        "they don't count towards the actions that rules may add, unless an added action opened the instance",
        arguments: [true, false])
    func limit(opensByRule: Bool) async throws {
        let ids = (0..<1_200).map { "\($0)" }
        let rule = Relux.Rule(on: Tick.self) { _, _ in [Inbox.State.Action.set(ids)] }
        let store = try await Relux.Store(.init(observers: [observer])) {
            Book(rules: [rule], sagas: [ClosureSaga<Tick> { _, _ in }])
        }

        if opensByRule { await store.dispatch(Tick()) } else { await store.dispatch(Inbox.State.Action.set(ids)) }
        try await store.idle()

        #expect(observer.reasons.count { $0 == "endlessRules" } == (opensByRule ? 1 : 0))
        #expect(observer.records.entries.count == (opensByRule ? 1_001 : 1 + 3 * ids.count))
    }

    @Test(
        "an instance that the step closes again dispatches nothing if a rule closes it, and starts nothing in a batch"
    )
    func closedAgain() async throws {
        let rule = Relux.Rule(on: Inbox.State.Action.self) { action, _ in
            if action == .open("a") { [Inbox.State.Action.close("a")] } else { [] }
        }
        let saga = WorkSaga { [trace] work, _ in trace.note(work.name) }
        let store = try await Relux.Store { Book(rules: [rule], page: { .page($0, saga: saga) }) }

        await store.dispatch(Inbox.State.Action.open("a"))
        await store.dispatch {
            Inbox.State.Action.open("b")
            Inbox.State.Action.close("b")
        }
        try await store.idle()

        #expect(trace.entries == [])
        #expect(!(try await store.log()).contains("open a"))
    }

    @Test("children that a module lists from the start open with it, after it")
    func initialChildren() async throws {
        let store = try await Relux.Store { Log.Module() }

        try await store.register(Opened.page("page"))

        #expect(try await store.log() == ["open page", "open tab"])
    }

    @Test("a child that is loaded first opens in a later step")
    func loadedFirst() async throws {
        let shelf = Shelf(Counter<TagA>(value: 7))
        let page: @Sendable (String) -> Opened = { id in
            Opened(
                id: id, states: [Counter<TagA>()], persistence: [Shelved(on: shelf)],
                extra: [Counter<TagA>.Add(amount: 1)])
        }
        let store = try await Relux.Store(.init(observers: [observer])) { Book(page: page) }

        await store.dispatch(Inbox.State.Action.open("a"))
        try await store.idle()

        #expect(try await store.scope(of: Opened.self, id: "a").state(of: Counter<TagA>.self).value == 8)
        #expect(shelf.value?.value == 8)
        #expect(observer.records.entries.map(\.step) == [1, 2, 3])
    }

    @Test("a reset opens the instances of its initial values before its `then`, in the same step")
    func reset() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            Book(open: ["home"], page: { Opened(id: $0) })
        }
        await store.dispatch(Inbox.State.Action.close("home"))

        await store.reset(then: Log.Action.add("then"))

        #expect(try await store.log() == ["open home", "then"])
        #expect(Set(observer.records.entries.suffix(2).map(\.step)).count == 1)
    }
}
