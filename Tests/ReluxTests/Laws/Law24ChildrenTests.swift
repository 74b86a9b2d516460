import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 24: children follow state", .timeLimit(.minutes(10)))
struct Law24ChildrenTests: Staged {
    let scene = Scene()

    private typealias Action = Inbox.State.Action

    private func store(
        showing ids: [String] = [], _ chat: @escaping @Sendable (String) -> Chat.Module = { Chat.Module(id: $0) }
    ) async throws -> Relux.Store {
        let store = try await Relux.Store(.init(observers: [observer])) { Inbox.Module(chat: chat) }
        if !ids.isEmpty { await store.dispatch(Action.set(ids)) }
        return store
    }

    private func chat(_ id: String, in store: Relux.Store) -> Relux.Scope { store.scope(of: Chat.Module.self, id: id) }

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
            Action.open("c1")
            Relux.ChildAction(Chat.Module.self, id: "c1", Chat.State.Action.received("Hello"))
            Action.open("c2")
        }

        let inbox = try await store.state(of: Inbox.State.self)
        #expect(inbox.unread == ["c1": 1])
        #expect(await ids(in: store).instances == ["c1", "c2"])
        let chat = chat("c1", in: store)
        #expect(try await chat.state(of: Chat.State.self).messages == ["Hello"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("The step that removes an id cancels the runs, ends the sequences, and drops the states of its instance")
    func removing() async throws {
        let store = try await store(showing: ["c1", "c2"]) { Chat.Module(id: $0, gate: gate) }
        let chat = chat("c1", in: store)
        let performed = Task { await Ending.of { try await chat.perform(Chat.Send(text: "late")) } }
        await gate.arrivals()
        var values = chat.values(of: Chat.State.self).makeAsyncIterator()
        var messages = chat.values(of: Chat.State.self) { $0.messages }.makeAsyncIterator()
        var names = chat.values { $0[Inbox.State.self]?.open.count }.makeAsyncIterator()
        let stream = chat.actionStream(of: Chat.State.Action.self)
        let outer = chat.actionStream(of: Inbox.State.Action.self)
        _ = await (values.next(), messages.next(), names.next())

        await store.dispatch(Action.close("c1"))

        #expect(await values.next() == nil)
        #expect(await messages.next() == nil)
        #expect(await names.next() == nil)
        for await _ in stream { Issue.record("The chat was closed.") }
        for await action in outer { #expect(action == .close("c1")) }
        #expect(await ids(in: store) == (["c2"], ["c2"]))
        #expect(observer.reasons.allSatisfy { $0 == "staleWrite" })
        await store.dispatch(Action.open("c1"))
        gate.open()
        #expect(await performed.value == .cancelled)
        try await store.idle()
        #expect(try await chat.state(of: Chat.State.self).messages == [])
        #expect(observer.reasons.contains("staleWrite"))
    }

    @Test("Reordering keeps the instances, and replacing all of them replaces all instances")
    func reordering() async throws {
        let store = try await store(showing: ["a", "b", "c"])
        await chat("b", in: store).dispatch(Chat.State.Action.sent("kept"))

        await store.dispatch(Action.set(["c", "b"]))
        let kept = try await chat("b", in: store).state(of: Chat.State.self).messages
        await store.dispatch(Action.set(["x", "y"]))

        #expect(kept == ["kept"])
        #expect(await ids(in: store).instances == ["x", "y"])
        let changes = observer.trace.entries.filter { $0.hasSuffix("registered Module") }.map {
            $0.hasPrefix("un") ? "-" : "+"
        }
        #expect(changes.joined() == "++++---++")
    }

    @Test("An id that occurs twice counts once and is reported")
    func duplicates() async throws {
        let store = try await store(showing: ["a", "b", "a"])

        await store.dispatch(Action.set(["a"]))
        let one = await ids(in: store).instances
        await store.dispatch(Action.set([]))

        #expect(one == ["a"])
        #expect(await ids(in: store).instances == [])
        #expect(observer.reasons == ["duplicateChild"])
        guard case .duplicateChild(let scope)? = observer.refusals.entries.first?.reason else { return }
        #expect(scope == chat("a", in: store))
    }

    @Test("A child that can't be registered, or has another id, is reported and left out until it is added again")
    func failures() async throws {
        let store = try await store(showing: ["wrong", "needy", "fine"]) { id in
            Chat.Module(id: id == "wrong" ? "other" : id, requires: id == "needy" ? [Account.Module.self] : [])
        }

        let first = await ids(in: store).instances
        try await store.register(Account.Module())
        await store.dispatch(Action.set(["fine", "needy", "wrong"]))
        let second = await ids(in: store).instances
        await store.dispatch(Action.set(["fine"]))
        await store.dispatch(Action.set(["fine", "needy"]))

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
        let store = try await store(showing: ["a", "b", "c"])
        let lease = try await store.attach(Chat.Module(id: "a"))
        try await store.register(Chat.Module(id: "b"))

        await store.dispatch(Action.set([]))
        let held = await ids(in: store).instances
        await lease.end()
        await store.unregister(Chat.Module.self, id: "b")

        #expect(held == ["a", "b"])
        #expect(await ids(in: store).instances == [])
    }

    @Test("Two bindings that name the same child hold it together")
    func twoParents() async throws {
        let second = Part<TagB>(
            requires: [Inbox.Module.self],
            children: [.optional(of: Inbox.State.self, \.edited) { id, _ in Chat.Module(id: id) }])
        let store = try await store()
        try await store.register(second)
        await store.dispatch {
            Action.open("a")
            Action.edit("a")
        }
        await chat("a", in: store).dispatch(Chat.State.Action.sent("kept"))

        await store.dispatch(Action.close("a"))
        let held = try await chat("a", in: store).state(of: Chat.State.self).messages
        await store.dispatch(Action.edit(nil))
        let none = await ids(in: store).instances
        await store.dispatch(Action.edit("b"))
        await store.unregister(Part<TagB>.self)

        #expect(held == ["kept"])
        #expect(none == [])
        #expect(await ids(in: store).instances == [])
        #expect(observer.refusals.entries.isEmpty)
    }

    /// Replaces two lists of chats.
    private struct Lists: Relux.Action {
        let first: [String]
        let second: [String]
    }

    /// Two lists of chats, or one of them.
    private struct Both<T: Tag>: Relux.State {
        var first: [String] = []
        var second: [String] = []

        mutating func reduce(_ action: Lists) { (first, second) = (action.first, action.second) }
    }

    // It used to be kept or replaced by a new one, depending on the order of the lists.
    @Test("An id that one action moves from one list to another keeps its instance", arguments: [true, false])
    func movingID(isOneState: Bool) async throws {
        let chat: @Sendable (String, Any) -> Chat.Module = { id, _ in Chat.Module(id: id, gate: gate) }
        let module = Part<TagA>(
            states: isOneState ? [Both<TagA>()] : [Both<TagA>(), Both<TagB>()],
            children: [
                .each(of: Both<TagA>.self, \.first, chat),
                isOneState ? .each(of: Both<TagA>.self, \.second, chat) : .each(of: Both<TagB>.self, \.second, chat),
            ])
        let store = try await Relux.Store { module }
        await store.dispatch(Lists(first: ["a"], second: []))
        let moved = self.chat("a", in: store)
        await moved.dispatch(Chat.State.Action.received("before"))
        let sending = await moved.dispatch(Chat.Send(text: "after"))

        await store.dispatch(Lists(first: ["b"], second: ["a", "c"]))
        await store.dispatch(Lists(first: ["a"], second: ["b"]))
        gate.open()

        #expect("\(await sending.outcome())" == "success")
        #expect(try await moved.state(of: Chat.State.self).messages == ["before", "after"])
        #expect(await ids(in: store).instances == ["a", "b"])
        await store.dispatch(Lists(first: [], second: []))
        #expect(await ids(in: store).instances == [])
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
    }

    @Test("ids that identify themselves have instances like any others, and are named without their types")
    func ownIDs() async throws {
        let store = try await Relux.Store {
            Part<TagA>(states: [Tabs()], children: [.each(of: Tabs.self, \.open) { tab, _ in TabPage(id: tab) }])
        }

        let work = store.scope(of: TabPage.self, id: .work)

        #expect(await work.read { $0.scope }?.description == work.description)
        #expect(work.description.hasSuffix("TabPage[work]"))
    }

    /// The users of each room.
    private struct House: Relux.State {
        var users: [String: [String]] = [:]

        struct Change: Relux.Action { let users: [String: [String]] }

        mutating func reduce(_ action: Change) { users = action.users }
    }

    @Test("An instance that a step removes isn't asked for the ids of its own children any more")
    func removedParent() async throws {
        let rooms = Relux.Children.each(of: House.self, { $0.users.keys.sorted() }) { id, _ in
            let users: @Sendable (House) -> [String] = { house in
                // The rooms that are asked although they aren't in the house.
                if house.users[id] == nil { trace.note(id) }
                return house.users[id] ?? []
            }
            let chats = Relux.Children.each(of: House.self, users) { user, _ in Chat.Module(id: user) }
            return InstancePart(id: id, requires: [Part<TagA>.self], children: [chats])
        }
        let store = try await Relux.Store { Part<TagA>(states: [House()], children: [rooms]) }
        await store.dispatch(House.Change(users: ["a": ["ada"], "b": ["bob"]]))
        // No handle is kept, because it would keep the scope of the room.
        let before = await store.scope(of: InstancePart.self, id: "a").read {
            $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id)
        }

        await store.dispatch(House.Change(users: ["b": ["ada", "bob"]]))
        await store.reset()

        #expect(before == ["ada"])
        #expect(trace.entries == [])
    }

    @Test("An instance that its own action closes makes no children for that action")
    func closedByItsOwnAction() async throws {
        typealias Tapped = Relux.ChildAction<InstancePart, Pages.Action>
        let closing = Relux.Reducer(of: Pages.self, on: Tapped.self) { pages, child in
            pages.open.removeAll { $0 == child.id }
        }
        let inner = Relux.Children.each(of: Pages.self, \.open) { [trace] id, _ in
            trace.note(id)
            return InstancePart(id: id)
        }
        let outer = Relux.Children.each(of: Pages.self, \.open) { id, _ in
            InstancePart(id: id, states: [Pages()], children: [inner])
        }
        let store = try await Relux.Store { Part<TagA>(states: [Pages()], reducers: [closing], children: [outer]) }
        await store.dispatch(Pages.Action.open("a"))

        await store.dispatch(Tapped(InstancePart.self, id: "a", .open("x")))

        #expect(trace.entries == [])
        #expect(try await store.state(of: Pages.self).open == [])
    }

    private struct Places: Relux.State {
        var all: [Double] = []

        mutating func reduce(_ action: Set) { all = action.all }

        struct Set: Relux.Action { let all: [Double] }

        struct Place: Relux.Module, Identifiable { let id: Double }
    }

    @Test("A child whose id isn't equal to itself is registered once, and removed")
    func idsUnequalToThemselves() async throws {
        let places = Relux.Children.each(of: Places.self, \.all) { id, _ in Places.Place(id: id) }
        let store = try await Relux.Store(.init(observers: [observer])) {
            Part<TagA>(states: [Places()], children: [places])
        }
        for all in [[1, .nan], [.nan], []] as [[Double]] { await store.dispatch(Places.Set(all: all)) }

        let opened = observer.trace.entries.filter { $0.hasSuffix("Place") }
        #expect(opened == ["registered Place", "registered Place", "unregistered Place", "unregistered Place"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("A reset of the parent ends the children that the initial value doesn't name, and resets the others")
    func reset() async throws {
        let store = try await store(showing: ["a"]) { Chat.Module(id: $0, gate: gate, heard: trace) }
        let chat = chat("a", in: store)
        await chat.dispatch(Chat.Send(text: "late"))
        await gate.arrivals()
        let lease = try await store.attach(Chat.Module(id: "kept", heard: trace))
        await lease.scope.dispatch(Chat.State.Action.sent("before"))

        let reset = Task { await store.reset() }
        var values = chat.values(of: Chat.State.self).makeAsyncIterator()
        while await values.next() != nil {}
        gate.open()
        await reset.value

        #expect(await ids(in: store) == ([], ["kept"]))
        #expect(try await lease.scope.state(of: Chat.State.self).messages == [])
        await lease.scope.dispatch(Chat.State.Action.received("after"))
        #expect(await trace.entries(atLeast: 1) == [#"Chat.Module["kept"] after"#])
        try await store.idle()
        await store.shutdown()
        #expect(trace.entries.count == 1)
    }

    @Test("Children of children come and go in the same step")
    func grandchildren() async throws {
        let chats = Relux.Children.each(of: Both<TagB>.self, \.first) { id, _ in Chat.Module(id: id) }
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { id in
                InstancePart(id: id, states: [Both<TagB>(first: ["\(id)1", "\(id)2"])], children: [chats])
            }
        }
        let before = await store.tables()

        await store.dispatch(Pages.Action.set(["f"]))
        let folder = store.scope(of: InstancePart.self, id: "f")
        let chat = folder.scope(of: Chat.Module.self, id: "f2")
        await chat.dispatch(Chat.State.Action.sent("deep"))
        #expect(try await chat.state(of: Chat.State.self).messages == ["deep"])
        #expect(observer.records.entries.last?.scope?.description == "\(folder)/Chat.Module[\"f2\"]")
        await folder.dispatch(Lists(first: ["f2"], second: []))
        #expect(await folder.read { $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) } == ["f2"])

        await store.dispatch(Pages.Action.set([]))

        #expect(await chat.read { $0[Chat.State.self] } == nil)
        #expect(observer.moduleCount == 1)
        await store.reset()
        let after = await store.tables()
        #expect("\(after)".split(separator: "\n").count == "\(before)".split(separator: "\n").count)
    }

    @Test(
        "An effect whose own step closes its instance is cancelled and starts nothing there, whichever way it came",
        arguments: [false, true])
    func cutOff(parentTakesIt: Bool) async throws {
        func closing<Effect: Relux.Effect>(on _: Effect.Type) -> Part<TagB> {
            typealias Closing = Relux.ChildAction<Chat.Module, Effect>
            let reducer = Relux.Reducer(of: Inbox.State.self, on: Closing.self) {
                $0.open.removeAll { [id = $1.id] in $0 == id }
            }
            let reaction = Relux.Reaction(to: Closing.self) { _, _ in throw TestFailure(name: "parent") }
            return Part(reducers: [reducer], sagas: parentTakesIt ? [reaction] : [])
        }
        let (asking, sending) = (closing(on: Chat.Count.self), closing(on: Chat.Send.self))
        let ids = ["perform", "without a flow", "dispatch", "actions", "batch"]
        let store = try await store(showing: ids)
        try await store.register(
            Part<TagB>(
                reducers: asking.reducers + sending.reducers, sagas: asking.sagas + sending.sagas,
                requires: [Inbox.Module.self]))
        let failures = store.failures
        let chats = ids.map { chat($0, in: store) }

        let performed = [
            await Ending.of { try await chats[0].perform(Chat.Count()) },
            await Ending.of { try await chats[1].perform(Chat.Send(text: "")) },
        ]
        let dispatched = await chats[2].dispatch(Chat.Count()).outcome()
        let acted = await chats[3].actions { Chat.Count() }
        let batched = await store.dispatch {
            Relux.ChildAction(Chat.Module.self, id: "batch", Chat.Count())
            Action.edit("batch")
        }.outcome()
        let left = await self.ids(in: store)
        await store.shutdown()

        #expect(performed == [.cancelled, .cancelled])
        #expect(left == ([], []))
        #expect(observer.trace.entries.count { $0.hasPrefix("start") } == (parentTakesIt ? ids.count : 0))
        for outcome in [dispatched, acted, batched] {
            #expect("\(outcome)" == (parentTakesIt ? "failure: TestFailure(name: \"parent\")" : "cancelled"))
        }
        // Nobody who awaits the effect receives the errors of the parent's saga.
        #expect(await failures.elements().count == (parentTakesIt ? ids.count : 0))
    }

    @Test("A child goes with its id, although a module inside of it or a child of its own requires it")
    func requiredFromInside() async throws {
        let store = try await store(showing: ["a"])
        let chat = chat("a", in: store)
        try await chat.register(Part<TagB>(requires: [Chat.Module.self]))

        await store.dispatch(Action.set([]))

        #expect(await ids(in: store) == ([], []))
        #expect(await chat.dispatch(Chat.State.Action.sent("never")).sequence == nil)
        #expect(observer.moduleCount == 1)
    }

    /// How the children of a module need it: by its type, as a dependency, or through a module beside it.
    enum Need: CaseIterable { case requires, depends, requiresThrough }

    /// The parent of children that need it.
    private struct Required: Relux.Module {
        struct Between: Relux.Module {
            var requires: [any Relux.Module.Type] { [Required.self] }
        }

        struct Child: Relux.Module, Identifiable {
            let id: String
            let need: Need

            var requires: [any Relux.Module.Type] {
                switch need {
                case .requires: [Required.self]
                case .depends: []
                case .requiresThrough: [Between.self]
                }
            }
            var dependencies: [any Relux.Module] { need == .depends ? [Required(need: need)] : [] }
        }

        let need: Need

        var states: [any Relux.State] { [Inbox.State()] }
        var children: [Relux.Children] {
            [.each(of: Inbox.State.self, \.open) { [need] id, _ in Child(id: id, need: need) }]
        }
    }

    @Test(
        "A module goes with its last owner, although children of its own need it, unless something else keeps one",
        arguments: ["nothing", "lease", "module", "name"], Need.allCases)
    func neededByChildren(keeper: String, need: Need) async throws {
        let child = Required.Child(id: "a", need: need)
        let store = Relux.Store(.init(observers: [observer]))
        try await store.register(Required(need: need))
        if need == .requiresThrough { try await store.register(Required.Between()) }
        await store.dispatch(Action.set(["a", "b"]))
        #expect(observer.moduleCount == (need == .requiresThrough ? 4 : 3))
        let lease = keeper == "lease" ? try await store.attach(child) : nil
        if keeper == "module" { try await store.register(Part<TagB>(dependencies: [child])) }
        if keeper == "name" { try await store.register(child) }

        await store.unregister(Required.self)
        if need == .requiresThrough { await store.unregister(Required.Between.self) }
        let kept = await store.read { $0[Inbox.State.self]?.open }
        await lease?.end()
        if keeper == "module" { await store.unregister(Part<TagB>.self) }
        if keeper == "name" { await store.unregister(Required.Child.self, id: "a") }

        #expect(kept == (keeper == "nothing" ? nil : ["a", "b"]))
        #expect(observer.moduleCount == 0)
        #expect(await store.read { $0[Inbox.State.self] } == nil)
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
                        case 0: await store.dispatch(Action.set([id, "x"]))
                        case 1: await store.dispatch(Action.close(id))
                        case 2:
                            await store.dispatch {
                                Action.set([id])
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
