import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 24: children follow state", .timeLimit(.minutes(10)))
struct Law24ChildrenTests {
    private let observer = TraceObserver()

    private func store(
        _ chat: @escaping @Sendable (String) -> Chat.Module = { Chat.Module(id: $0) }
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(observers: [observer])) { Inbox.Module(chat: chat) }
    }

    /// The ids of the state, and those of the instances, at one point.
    private func ids(in store: Relux.Store) async -> (state: [String], instances: [String]) {
        await store.read { reader in
            (
                reader[Inbox.State.self]?.open ?? [],
                reader.states(of: Chat.State.self, in: Chat.Module.self).map(\.id)
            )
        }
    }

    @Test("The step that adds an id registers its instance, and the next action of the batch reaches it")
    func adding() async throws {
        let store = try await store()

        await store.dispatch {
            Inbox.State.Action.open("c1")
            Relux.ChildAction(Chat.Module.self, id: "c1", Chat.State.Action.received("Hello"))
            Inbox.State.Action.open("c2")
        }

        let inbox = try await store.state(of: Inbox.State.self)
        #expect(inbox.unread == ["c1": 1])
        #expect(await ids(in: store).instances == ["c1", "c2"])
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        #expect(try await chat.state(of: Chat.State.self).messages == ["Hello"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("The step that removes an id cancels the runs, ends the sequences, and drops the states of its instance")
    func removing() async throws {
        let gate = Gate()
        let store = try await store { Chat.Module(id: $0, gate: gate) }
        await store.dispatch(Inbox.State.Action.set(["c1", "c2"]))
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        let performed = Task { try await chat.perform(Chat.Send(text: "late")) }
        await gate.arrivals()
        var values = chat.values(of: Chat.State.self).makeAsyncIterator()
        var names = chat.values { $0[Inbox.State.self]?.open.count }.makeAsyncIterator()
        let stream = chat.actionStream(of: Chat.State.Action.self)
        let outer = chat.actionStream(of: Inbox.State.Action.self)
        _ = await (values.next(), names.next())

        await store.dispatch(Inbox.State.Action.close("c1"))

        #expect(await values.next() == nil)
        #expect(await names.next() == nil)
        for await _ in stream { Issue.record("The chat was closed.") }
        for await action in outer { #expect(action == .close("c1")) }
        #expect(await ids(in: store) == (["c2"], ["c2"]))
        await store.dispatch(Inbox.State.Action.open("c1"))
        gate.open()
        let error = await #expect(throws: Relux.EffectError.self) { try await performed.value }
        #expect("\(String(describing: error))".contains("cancelled"))
        try await store.idle()
        #expect(try await chat.state(of: Chat.State.self).messages == [])
        #expect(observer.refusals.entries.contains { if case .staleWrite = $0.reason { true } else { false } })
    }

    @Test("A reader whose instance is closed ends without a report")
    func endsSilently() async throws {
        let store = try await store()
        await store.dispatch(Inbox.State.Action.set(["c1"]))
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        var whole = chat.values(of: Chat.State.self).makeAsyncIterator()
        var selection = chat.values(of: Chat.State.self) { $0.messages }.makeAsyncIterator()
        var reading = chat.values { $0[Chat.State.self] }.makeAsyncIterator()
        _ = await (whole.next(), selection.next(), reading.next())

        await store.dispatch(Inbox.State.Action.set([]))

        #expect(await whole.next() == nil)
        #expect(await selection.next() == nil)
        #expect(await reading.next() == nil)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("Reordering keeps the instances, and replacing all of them replaces all instances")
    func reordering() async throws {
        let store = try await store()
        await store.dispatch(Inbox.State.Action.set(["a", "b", "c"]))
        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "b", Chat.State.Action.sent("kept")))

        await store.dispatch(Inbox.State.Action.set(["c", "b"]))
        let kept = try await store.scope(of: Chat.Module.self, id: "b").state(of: Chat.State.self).messages
        await store.dispatch(Inbox.State.Action.set(["x", "y"]))

        #expect(kept == ["kept"])
        #expect(await ids(in: store).instances == ["x", "y"])
        #expect(
            observer.trace.entries.filter { $0.contains("registered") }
                == [
                    "registered Module", "registered Module", "registered Module", "registered Module",
                    "unregistered Module", "unregistered Module", "unregistered Module",
                    "registered Module", "registered Module",
                ]
        )
    }

    @Test("An id that occurs twice counts once and is reported")
    func duplicates() async throws {
        let store = try await store()

        await store.dispatch(Inbox.State.Action.set(["a", "b", "a"]))
        await store.dispatch(Inbox.State.Action.set(["a"]))
        let one = await ids(in: store).instances
        await store.dispatch(Inbox.State.Action.set([]))

        #expect(one == ["a"])
        #expect(await ids(in: store).instances == [])
        guard case .duplicateChild(let scope)? = observer.refusals.entries.first?.reason else {
            Issue.record("\(observer.refusals.entries)")
            return
        }
        #expect(scope == store.scope(of: Chat.Module.self, id: "a"))
        #expect(observer.refusals.entries.count == 1)
    }

    @Test("A child that can't be registered, or has another id, is reported and left out until it is added again")
    func failures() async throws {
        let store = try await store { id in
            switch id {
            case "wrong": Chat.Module(id: "other")
            case "needy": Chat.Module(id: "needy", requires: [Account.Module.self])
            default: Chat.Module(id: id)
            }
        }

        await store.dispatch(Inbox.State.Action.set(["wrong", "needy", "fine"]))
        let first = await ids(in: store).instances
        try await store.register(Account.Module())
        await store.dispatch(Inbox.State.Action.set(["fine", "needy", "wrong"]))
        let second = await ids(in: store).instances
        await store.dispatch(Inbox.State.Action.set(["fine"]))
        await store.dispatch(Inbox.State.Action.set(["fine", "needy"]))

        #expect(first == ["fine"])
        #expect(second == ["fine"])
        #expect(await ids(in: store).instances == ["fine", "needy"])
        let reasons = observer.refusals.entries.map { refusal -> String in
            switch refusal.reason {
            case .childNotRegistered(.childWithOtherID(_, let requested, let found)): "\(requested) ≠ \(found)"
            case .childNotRegistered(.missing(let module, _)): "missing \(module)"
            default: refusal.description
            }
        }
        #expect(reasons == ["wrong ≠ other", "missing Module"])
    }

    @Test("An instance that a lease or a registration by name holds as well outlives its id")
    func otherHolders() async throws {
        let store = try await store()
        await store.dispatch(Inbox.State.Action.set(["a", "b", "c"]))
        let lease = try await store.attach(Chat.Module(id: "a"))
        try await store.register(Chat.Module(id: "b"))

        await store.dispatch(Inbox.State.Action.set([]))
        let held = await ids(in: store).instances
        await lease.end()
        await store.unregister(Chat.Module.self, id: "b")

        #expect(held == ["a", "b"])
        #expect(await ids(in: store).instances == [])
    }

    @Test("Two states that name the same child hold it together")
    func twoParents() async throws {
        struct Second: Relux.Module {
            var requires: [any Relux.Module.Type] { [Inbox.Module.self] }
            var children: [Relux.Children] {
                [.optional(of: Inbox.State.self, \.edited) { id, _ in Chat.Module(id: id) }]
            }
        }
        let store = try await store()
        try await store.register(Second())
        await store.dispatch {
            Inbox.State.Action.open("a")
            Inbox.State.Action.edit("a")
        }
        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "a", Chat.State.Action.sent("kept")))

        await store.dispatch(Inbox.State.Action.close("a"))
        let held = try await store.scope(of: Chat.Module.self, id: "a").state(of: Chat.State.self).messages
        await store.dispatch(Inbox.State.Action.edit(nil))
        let none = await ids(in: store).instances
        await store.dispatch(Inbox.State.Action.edit("b"))
        await store.unregister(Second.self)

        #expect(held == ["kept"])
        #expect(none == [])
        #expect(await ids(in: store).instances == [])
    }

    /// Two lists of chats, in one state or in two, and an action that changes both.
    private enum Lists {
        enum Action: Relux.Action { case set(first: [String], second: [String]) }

        struct Both: Relux.State {
            var (first, second) = (["a"], [String]())

            mutating func reduce(_ action: Action) {
                switch action {
                case .set(let first, let second): (self.first, self.second) = (first, second)
                }
            }
        }

        struct First: Relux.State {
            var ids = ["a"]

            mutating func reduce(_ action: Action) {
                switch action {
                case .set(let first, _): ids = first
                }
            }
        }

        struct Second: Relux.State {
            var ids: [String] = []

            mutating func reduce(_ action: Action) {
                switch action {
                case .set(_, let second): ids = second
                }
            }
        }

        struct Module: Relux.Module {
            let isOneState: Bool
            let gate: Gate

            var states: [any Relux.State] { isOneState ? [Both()] : [First(), Second()] }
            var children: [Relux.Children] {
                if isOneState {
                    [
                        .each(of: Both.self, \.first) { id, _ in Chat.Module(id: id, gate: gate) },
                        .each(of: Both.self, \.second) { id, _ in Chat.Module(id: id, gate: gate) },
                    ]
                } else {
                    [
                        .each(of: First.self, \.ids) { id, _ in Chat.Module(id: id, gate: gate) },
                        .each(of: Second.self, \.ids) { id, _ in Chat.Module(id: id, gate: gate) },
                    ]
                }
            }
        }
    }

    // It used to be kept or replaced by a new one, depending on the order of the lists.
    @Test("An id that one action moves from one list to another keeps its instance", arguments: [true, false])
    func movingID(isOneState: Bool) async throws {
        let gate = Gate()
        let store = try await Relux.Store { Lists.Module(isOneState: isOneState, gate: gate) }
        let chat = store.scope(of: Chat.Module.self, id: "a")
        await chat.dispatch(Chat.State.Action.received("before"))
        let sending = await chat.dispatch(Chat.Send(text: "after"))

        await store.dispatch(Lists.Action.set(first: ["b"], second: ["a", "c"]))
        await store.dispatch(Lists.Action.set(first: ["a"], second: ["b"]))
        gate.open()

        #expect("\(await sending.outcome())" == "success")
        #expect(try await chat.state(of: Chat.State.self).messages == ["before", "after"])
        let instances = await store.read { $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) }
        #expect(instances == ["a", "b"])
        await store.dispatch(Lists.Action.set(first: [], second: []))
        #expect(await store.read { $0.states(of: Chat.State.self, in: Chat.Module.self).isEmpty })
    }

    /// SwiftUI's usual form of a tab.
    private enum Tab: String, Identifiable {
        case home, work
        var id: Self { self }
    }

    private struct Tabs: Relux.State {
        typealias Action = Never
        var open: [Tab] = [.home, .work]
    }

    private struct TabPage: Relux.Module, Identifiable {
        let id: Tab
        var states: [any Relux.State] { [] }
    }

    private struct TabsModule: Relux.Module {
        var states: [any Relux.State] { [Tabs()] }
        var children: [Relux.Children] { [.each(of: Tabs.self, \.open) { tab, _ in TabPage(id: tab) }] }
    }

    @Test("ids that identify themselves have instances like any others, and are named without their types")
    func ownIDs() async throws {
        let store = try await Relux.Store { TabsModule() }

        let work = store.scope(of: TabPage.self, id: .work)

        #expect(await work.read { $0.scope }?.description == work.description)
        #expect(work.description.hasSuffix("TabPage[work]"))
    }

    /// Rooms whose users are listed in the state of the house.
    private enum House {
        struct State: Relux.State {
            var users: [String: [String]] = [:]

            enum Action: Relux.Action { case set([String: [String]]) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .set(let users): self.users = users
                }
            }
        }

        struct Room: Relux.Module, Identifiable {
            let id: String
            let asked: Trace<String>

            var requires: [any Relux.Module.Type] { [House.Module.self] }
            var children: [Relux.Children] {
                [
                    .each(
                        of: House.State.self,
                        { [id, asked] state in
                            if state.users[id] == nil { asked.note(id) }
                            return state.users[id] ?? []
                        }
                    ) { user, _ in Chat.Module(id: user) }
                ]
            }
        }

        struct Module: Relux.Module {
            let asked: Trace<String>

            var states: [any Relux.State] { [State()] }
            var children: [Relux.Children] {
                [.each(of: State.self, { $0.users.keys.sorted() }) { [asked] id, _ in Room(id: id, asked: asked) }]
            }
        }
    }

    @Test("An instance that a step removes isn't asked for the ids of its own children any more")
    func removedParent() async throws {
        let asked = Trace<String>()
        let store = try await Relux.Store { House.Module(asked: asked) }
        await store.dispatch(House.State.Action.set(["a": ["ada"], "b": ["bob"]]))
        // No handle is kept, because it would keep the scope of the room.
        let before = await store.scope(of: House.Room.self, id: "a").read {
            $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id)
        }

        await store.dispatch(House.State.Action.set(["b": ["ada", "bob"]]))
        await store.reset()

        #expect(before == ["ada"])
        #expect(asked.entries == [])
    }

    @Test("A reset of the parent ends the children that the initial value doesn't name, and resets the others")
    func reset() async throws {
        let gate = Gate()
        let heard = Trace<String>()
        let store = try await store { Chat.Module(id: $0, gate: gate, heard: heard) }
        await store.dispatch(Inbox.State.Action.open("a"))
        let chat = store.scope(of: Chat.Module.self, id: "a")
        await chat.dispatch(Chat.Send(text: "late"))
        await gate.arrivals()
        let lease = try await store.attach(Chat.Module(id: "kept"))
        await lease.scope.dispatch(Chat.State.Action.sent("before"))

        let reset = Task { await store.reset() }
        var values = chat.values(of: Chat.State.self).makeAsyncIterator()
        while await values.next() != nil {}
        gate.open()
        await reset.value

        #expect(await ids(in: store) == ([], ["kept"]))
        #expect(try await lease.scope.state(of: Chat.State.self).messages == [])
        await lease.scope.dispatch(Chat.State.Action.received("after"))
        try await store.idle()
        await store.shutdown()
        #expect(heard.entries.allSatisfy { $0 == #"Chat.Module["kept"] after"# })
    }

    @Test("Children of children come and go in the same step")
    func grandchildren() async throws {
        enum Folder {
            struct State: Relux.State {
                var open: [String]
                typealias Action = Inbox.State.Action
                mutating func reduce(_ action: Action) { if case .set(let ids) = action { open = ids } }
            }
            struct Module: Relux.Module, Identifiable {
                let id: String
                var states: [any Relux.State] { [State(open: ["\(id)1", "\(id)2"])] }
                var children: [Relux.Children] { [.each(of: State.self, \.open) { id, _ in Chat.Module(id: id) }] }
            }
        }
        struct Root: Relux.Module {
            struct Open: Relux.Action { let ids: Set<String> }
            struct State: Relux.State {
                var folders: Set<String> = []
                mutating func reduce(_ action: Open) { folders = action.ids }
            }
            var states: [any Relux.State] { [State()] }
            var children: [Relux.Children] { [.each(of: State.self, \.folders) { id, _ in Folder.Module(id: id) }] }
        }
        let store = try await Relux.Store(.init(observers: [observer])) { Root() }
        let before = await store.tables()

        await store.dispatch(Root.Open(ids: ["f"]))
        let folder = store.scope(of: Folder.Module.self, id: "f")
        let chat = folder.scope(of: Chat.Module.self, id: "f2")
        await chat.dispatch(Chat.State.Action.sent("deep"))
        #expect(try await chat.state(of: Chat.State.self).messages == ["deep"])
        #expect(
            observer.records.entries.last?.scope?.description
                == #"Module["f"]/Chat.Module["f2"]"#.replacing("Module[\"f\"]", with: folder.description))
        await folder.dispatch(Inbox.State.Action.set(["f2"]))
        #expect(await folder.read { $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) } == ["f2"])

        await store.dispatch(Root.Open(ids: []))

        #expect(await chat.read { $0[Chat.State.self] } == nil)
        #expect(observer.moduleCount == 1)
        await store.reset()
        let after = await store.tables()
        #expect("\(after)".split(separator: "\n").count == "\(before)".split(separator: "\n").count)
    }

    @Test("An instance that its own action closes ends in that step, and what it triggered never starts")
    func closesItself() async throws {
        struct Ending: Relux.Module {
            var requires: [any Relux.Module.Type] { [Inbox.Module.self] }
            var reducers: [Relux.Reducer] {
                [
                    Relux.Reducer(of: Inbox.State.self, on: Relux.ChildAction<Chat.Module, Chat.Send>.self) {
                        state, chat in
                        state.open.removeAll { $0 == chat.id }
                    }
                ]
            }
        }
        let store = try await store()
        try await store.register(Ending())
        await store.dispatch(Inbox.State.Action.set(["a", "b"]))
        let chat = store.scope(of: Chat.Module.self, id: "a")

        let error = await #expect(throws: Relux.EffectError.self) { try await chat.perform(Chat.Send(text: "last")) }
        let batch = await store.scope(of: Chat.Module.self, id: "b").dispatch {
            Chat.Send(text: "last")
            Chat.State.Action.sent("never")
        }

        #expect("\(String(describing: error))".contains("cancelled"))
        #expect(batch.sequence != nil)
        #expect(await ids(in: store) == ([], []))
        #expect(!observer.trace.entries.contains { $0.hasPrefix("start") })
        let missing = observer.refusals.entries.filter { if case .noInstance = $0.reason { true } else { false } }
        #expect(missing.count == 1)
    }

    @Test("An effect whose own step closes its instance is cancelled, whichever way it came", arguments: [false, true])
    func cutOff(parentTakesIt: Bool) async throws {
        struct Ending: Relux.Module {
            let takesIt: Bool
            var requires: [any Relux.Module.Type] { [Inbox.Module.self] }
            var reducers: [Relux.Reducer] {
                [
                    Relux.Reducer(of: Inbox.State.self, on: Relux.ChildAction<Chat.Module, Chat.Count>.self) {
                        state, chat in
                        state.open.removeAll { $0 == chat.id }
                    }
                ]
            }
            var sagas: [any Relux.Saga] {
                guard takesIt else { return [] }
                return [
                    Relux.Reaction(to: Relux.ChildAction<Chat.Module, Chat.Count>.self) { _, _ in
                        throw TestFailure(name: "parent")
                    }
                ]
            }
        }
        let store = try await store()
        try await store.register(Ending(takesIt: parentTakesIt))
        let failures = store.failures
        let ids = ["perform", "dispatch", "actions", "batch"]
        await store.dispatch(Inbox.State.Action.set(ids))
        let chats = ids.map { store.scope(of: Chat.Module.self, id: $0) }

        let performed = await ReluxTests.Ending.of { _ = try await chats[0].perform(Chat.Count()) }
        let dispatched = await chats[1].dispatch(Chat.Count()).outcome()
        let acted = await chats[2].actions { Chat.Count() }
        let batched = await store.dispatch {
            Relux.ChildAction(Chat.Module.self, id: "batch", Chat.Count())
            Inbox.State.Action.edit("batch")
        }.outcome()
        await store.shutdown()

        #expect(performed == .cancelled)
        for outcome in [dispatched, acted, batched] {
            #expect("\(outcome)" == (parentTakesIt ? "failure: TestFailure(name: \"parent\")" : "cancelled"))
        }
        // Nobody who awaits the effect receives the errors of the parent's saga.
        #expect(await failures.reduce(0) { count, _ in count + 1 } == (parentTakesIt ? ids.count : 0))
    }

    @Test("A child goes with its id, although a module inside of it or a child of its own requires it")
    func requiredFromInside() async throws {
        struct Inner: Relux.Module {
            var requires: [any Relux.Module.Type] { [Chat.Module.self] }
        }
        let store = try await store()
        await store.dispatch(Inbox.State.Action.set(["a"]))
        let chat = store.scope(of: Chat.Module.self, id: "a")
        try await chat.register(Inner())

        await store.dispatch(Inbox.State.Action.set([]))

        #expect(await ids(in: store) == ([], []))
        #expect(await chat.dispatch(Chat.State.Action.sent("never")).sequence == nil)
        #expect(observer.moduleCount == 1)
    }

    /// The parent of children that require it, or depend on it.
    private struct Required: Relux.Module {
        struct Child: Relux.Module, Identifiable {
            let id: String
            let depends: Bool

            var requires: [any Relux.Module.Type] { depends ? [] : [Required.self] }
            var dependencies: [any Relux.Module] { depends ? [Required(childrenDepend: true)] : [] }
        }

        let childrenDepend: Bool

        var states: [any Relux.State] { [Inbox.State()] }
        var children: [Relux.Children] {
            [.each(of: Inbox.State.self, \.open) { [childrenDepend] id, _ in Child(id: id, depends: childrenDepend) }]
        }
    }

    @Test("A module goes with its last owner, although children of its own need it", arguments: [false, true])
    func neededByChildren(childrenDepend: Bool) async throws {
        let store = Relux.Store(.init(observers: [observer]))
        try await store.register(Required(childrenDepend: childrenDepend))
        await store.dispatch(Inbox.State.Action.set(["a", "b"]))
        let before = observer.moduleCount

        await store.unregister(Required.self)

        #expect(before == 3)
        #expect(observer.moduleCount == 0)
        #expect(await store.read { $0[Inbox.State.self] } == nil)
    }

    @Test(
        "A module stays for a child of its own that something else keeps or needs",
        arguments: ["lease", "module", "name"])
    func childKept(by keeper: String) async throws {
        struct Rooted: Relux.Module {
            var dependencies: [any Relux.Module] { [Required.Child(id: "a", depends: false)] }
        }
        let store = try await Relux.Store(.init(observers: [observer])) { Required(childrenDepend: false) }
        await store.dispatch(Inbox.State.Action.set(["a", "b"]))
        let lease = keeper == "lease" ? try await store.attach(Required.Child(id: "a", depends: false)) : nil
        if keeper == "module" { try await store.register(Rooted()) }
        if keeper == "name" { try await store.register(Required.Child(id: "a", depends: false)) }

        await store.unregister(Required.self)
        let kept = await store.read { $0[Inbox.State.self]?.open }
        await lease?.end()
        if keeper == "module" { await store.unregister(Rooted.self) }
        if keeper == "name" { await store.unregister(Required.Child.self, id: "a") }

        #expect(kept == ["a", "b"])
        #expect(observer.moduleCount == 0)
    }

    @Test("Children bound to the entries of a stack: the same page twice is two instances, and popping ends one")
    func stacks() async throws {
        struct Pages: Relux.Module {
            typealias Stack = Relux.Navigation.Stack<String>
            var states: [any Relux.State] { [Stack()] }
            var children: [Relux.Children] {
                [.each(of: Stack.self, \.entries) { entry, _ in Page(id: entry.id, name: entry.page) }]
            }
        }
        struct Page: Relux.Module, Identifiable {
            struct State: Relux.State {
                let name: String
                var visits = 0
                struct Visit: Relux.Action {}
                mutating func reduce(_ action: Visit) { visits += 1 }
            }
            let id: Pages.Stack.Entry.ID
            let name: String
            var states: [any Relux.State] { [State(name: name)] }
        }
        let store = try await Relux.Store { Pages() }
        await store.dispatch {
            Pages.Stack.Action.push("cat")
            Pages.Stack.Action.push("cat")
        }
        let entries = try await store.state(of: Pages.Stack.self).entries

        await store.scope(of: Page.self, id: entries[1].id).dispatch(Page.State.Visit())
        let both = await store.read {
            $0.states(of: Page.State.self, in: Page.self).map { "\($0.state.name) \($0.state.visits)" }
        }
        await store.dispatch(Pages.Stack.Action.pop)
        let one = await store.read {
            $0.states(of: Page.State.self, in: Page.self).map { "\($0.state.name) \($0.state.visits)" }
        }

        #expect(both == ["cat 0", "cat 1"])
        #expect(one == ["cat 0"])
    }

    @Test("At every point that anything can see, the states and the children agree, over 10,000 seeds")
    func simulated() async {
        await Simulation.explore(seeds: seeds(10_000)) { world in
            let store = try await world.store { Inbox.Module() }
            world.always("the inbox and its chats agree") { reader in
                let open = reader[Inbox.State.self]?.open ?? []
                return Set(open) == Set(reader.states(of: Chat.State.self, in: Chat.Module.self).map(\.id))
            }
            for task in 0..<3 {
                world.task {
                    for step in 0..<4 {
                        let id = "c\((task + step) % 3)"
                        switch (task * 5 + step) % 4 {
                        case 0: await store.dispatch(Inbox.State.Action.set([id, "x"]))
                        case 1: await store.dispatch(Inbox.State.Action.close(id))
                        case 2:
                            await store.dispatch {
                                Inbox.State.Action.set([id])
                                Relux.ChildAction(Chat.Module.self, id: id, Chat.State.Action.received("hi"))
                                Relux.ChildAction(Chat.Module.self, id: id, Chat.Finished())
                            }
                        default: store.scope(of: Chat.Module.self, id: id).send(Chat.Send(text: "a"))
                        }
                    }
                }
            }
        }
    }
}
