import Relux
import TestFixtures
import Testing

/// Three scopes: the root, a house in it, and a room in the house.
@Suite("Lexical resolution", .timeLimit(.minutes(10)))
struct LexicalResolutionTests {
    private typealias Room = InstancePart

    struct House: Relux.Module, Identifiable {
        let id: Int
        var dependencies: [any Relux.Module] = []
        var sagas: [any Relux.Saga] = []
        var states: [any Relux.State] { [Log(entries: ["house \(id)"])] }
    }

    private let observer = TraceObserver()
    /// Each scope but the room owns the states that are named.
    private let store: Relux.Store
    private let house: Relux.Scope
    private let room: Relux.Scope

    init() async throws {
        store = try await Relux.Store(.init(observers: [observer])) {
            Account.Module()
            Part<TagA>.counting()
            House(id: 1)
        }
        house = store.scope(of: House.self, id: 1)
        room = house.scope(of: Room.self, id: "r")
        try await house.register(Room(id: "r"))
    }

    @Test("an action goes to the innermost scope in which a module takes its type")
    func actions() async throws {
        await room.dispatch(Log.Action.add("from the room"))
        await room.dispatch(Account.State.Action(name: "Ada"))
        await house.dispatch(Counter<TagA>.Add())
        await store.dispatch(Log.Action.add("from the root"))

        #expect(try await house.state(of: Log.self).entries == ["house 1", "from the room"])
        #expect(try await room.state(of: Account.State.self).name == "Ada")
        #expect(await store.count(of: TagA.self) == 1)
        #expect(observer.records.entries.map(\.scope) == [house, nil, nil, nil])
        #expect(observer.refusals.entries.map { "\($0.reason)" } == ["actionNotTaken"])
    }

    @Test("a state is read in the innermost scope that owns it, by every way of reading")
    func states() async throws {
        try await store.register(Log.Module())

        #expect(try await room.state(of: Log.self).entries == ["house 1"])
        #expect(await room.read { $0[Log.self]?.entries } == ["house 1"])
        #expect(try await store.state(of: Log.self).entries == [])
        var values = room.values(of: Log.self) { $0.entries.count }.makeAsyncIterator()
        var account = room.values { $0[Account.State.self]?.changes ?? -1 }.makeAsyncIterator()
        #expect(await values.next() == 1)
        #expect(await account.next() == 0)
        await store.dispatch {
            Log.Action.add("elsewhere")
            Account.State.Action(name: "Ada")
        }
        await house.dispatch(Log.Action.add("here"))

        #expect(await values.next() == 2)
        #expect(await account.next() == 1)
    }

    @Test("a selection notices a state that appears in a nearer scope, and one that disappears")
    func shadowing() async throws {
        var entries = room.values { $0[Log.self]?.entries ?? [] }.makeAsyncIterator()
        #expect(await entries.next() == ["house 1"])

        let lease = try await room.attach(Log.Module())
        #expect(await entries.next() == [])
        await room.dispatch(Log.Action.add("near"))
        #expect(await entries.next() == ["near"])
        await lease.end()
        #expect(await entries.next() == ["house 1"])
    }

    @Test("the values of one state stay with the cell that they began with")
    func boundValues() async throws {
        var counts = room.values(of: Log.self) { $0.entries.count }.makeAsyncIterator()
        #expect(await counts.next() == 1)

        try await room.register(Log.Module())
        await room.dispatch(Log.Action.add("near"))
        await house.dispatch(Log.Action.add("far"))

        #expect(await counts.next() == 2)
    }

    @Test("a stream belongs to the innermost scope that takes the type when it is created, or to the instance")
    func streams() async throws {
        let log = room.actionStream(of: Log.Action.self)
        let account = room.actionStream(of: Account.State.Action.self)
        let own = room.actionStream(of: Counter<TagB>.Add.self)
        let rooted = store.actionStream(of: Counter<TagB>.Add.self)

        await house.dispatch(Log.Action.add("house"))
        await store.dispatch(Account.State.Action(name: "Ada"))
        await room.dispatch(Counter<TagB>.Add())
        await store.dispatch(Counter<TagB>.Add())
        await store.shutdown()

        #expect(await [log.elements().count, account.elements().count] == [1, 1])
        #expect(await [own.elements().count, rooted.elements().count] == [1, 1])
        #expect(observer.refusals.entries.isEmpty)
    }

    private struct Notice: Relux.Broadcast, Hashable { let number: Int }

    @Test("an action that no module takes goes to the innermost scope, outward, with a stream of it")
    func untakenActions() async throws {
        let outside = store.actionStream(of: Notice.self)

        await room.dispatch(Notice(number: 1))
        await room.dispatch {
            Notice(number: 2)
            Log.Action.add("in a batch")
        }
        let inside = house.actionStream(of: Notice.self)
        await room.dispatch(Notice(number: 3))
        await store.dispatch(Notice(number: 4))
        await store.shutdown()

        #expect(await outside.elements().map(\.number) == [1, 2, 4])
        #expect(await inside.elements().map(\.number) == [3])
        #expect(observer.records.entries.filter { $0.action is Notice }.map(\.scope) == [nil, nil, house, nil])
    }

    @Test("a stream doesn't keep an action from those who take it as that of an instance")
    func actionsTakenAsThoseOfInstances() async throws {
        let noting = Relux.Reducer(of: Log.self, on: Relux.ChildAction<House, Notice>.self) { log, notice in
            log.entries.append("\(notice.action.number)")
        }
        try await store.register(Part<TagB>(reducers: [noting], dependencies: [Log.Module()]))
        await house.dispatch(Notice(number: 1))
        let outside = store.actionStream(of: Notice.self)

        await house.dispatch(Notice(number: 2))
        await house.dispatch {
            Notice(number: 3)
            Log.Action.add("in a batch")
        }

        #expect(try await store.log() == ["1", "2", "3"])
        await store.shutdown()
        #expect(await outside.elements() == [])
    }

    @Test("a watcher of the root hears what instances dispatch, if nothing takes it and nothing in them listens")
    func untakenActionsForWatchers() async throws {
        let heard = Trace<Int>()
        let listener = ClosureWatcher(listens: [Counter<TagB>.Add.self]) { context in
            for await add in context.actionStream(of: Counter<TagB>.Add.self) { heard.note(add.amount) }
        }
        try await store.register(Part<TagB>(watchers: [listener]))

        await room.dispatch(Counter<TagB>.Add(amount: 1))
        await store.dispatch(Counter<TagB>.Add(amount: 2))

        #expect(await heard.entries(atLeast: 2) == [1, 2])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a dependency that an outer scope has is shared; one that it hasn't is the instance's own")
    func dependencies() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Part<TagA>.counting() }
        let rooms = [1, 2].map { House(id: $0, dependencies: [Part<TagA>.counting(), Part<TagB>.counting()]) }
        try await store.register(rooms[0], rooms[1])
        let houses = [1, 2].map { store.scope(of: House.self, id: $0) }

        await houses[0].dispatch {
            Counter<TagA>.Add()
            Counter<TagB>.Add()
        }

        let shared = await houses[1].read { $0[Counter<TagA>.self]?.value }
        let own = await [
            houses[0].read { $0[Counter<TagB>.self]?.value }, houses[1].read { $0[Counter<TagB>.self]?.value },
        ]
        #expect(shared == 1)
        #expect(own == [1, 0])
        #expect(await store.count(of: TagB.self) == nil)
        await store.unregister(Part<TagA>.self)
        #expect(await store.count(of: TagA.self) == 1)
        await store.unregister(House.self, id: 1)
        #expect(await store.count(of: TagA.self) == 1)
        await store.unregister(House.self, id: 2)
        #expect(await store.count(of: TagA.self) == nil)
        #expect(observer.moduleCount == 0)
    }

    private struct Poke: Relux.Action {}

    @Test("an instance reduces a state around it that it depends on, and not another one")
    func outerReducers() async throws {
        let reducer = Relux.Reducer(of: Account.State.self, on: Poke.self) { state, _ in state.changes += 10 }

        try await store.register(Room(id: "a", reducers: [reducer], requires: [Account.Module.self]))
        await store.scope(of: Room.self, id: "a").dispatch(Poke())
        let error = await Relux.StoreError.name { try await store.register(Room(id: "b", reducers: [reducer])) }

        #expect(try await store.state(of: Account.State.self).changes == 10)
        #expect(error == "foreignReducer")
        await store.unregister(Room.self, id: "a")
        #expect(await store.dispatch(Poke()).sequence == 2)
        #expect(try await store.state(of: Account.State.self).changes == 10)
    }

    // It used to be registered without the reducer.
    @Test("a module reduces no state that is inside an instance on which it depends")
    func unreachableState() async throws {
        let reducer = Relux.Reducer(of: Log.self, on: Poke.self) { _, _ in }
        let watcher = Part<TagB>(reducers: [reducer], dependencies: [House(id: 1)])

        #expect(await Relux.StoreError.name { try await Relux.Store().register(watcher) } == "foreignReducer")
    }

    // It used to reduce the nearer one, on which it doesn't depend.
    @Test("a module reduces no state that hides the one of its dependency")
    func hiddenState() async throws {
        let reducer = Relux.Reducer(of: Log.self, on: Poke.self) { log, _ in log.entries.append("poked") }
        try await store.register(Log.Module())

        let error = await Relux.StoreError.name {
            try await house.register(Room(id: "poked", reducers: [reducer], requires: [Log.Module.self]))
        }

        #expect(error == "foreignReducer")
        #expect(try await house.state(of: Log.self).entries == ["house 1"])
    }

    @Test("a feature reads the session's state from inside an instance, three levels deep, and its run acts there")
    func sagas() async throws {
        let answer = QuestionFlow { _, context in
            await context.dispatch(Log.Action.add("asked in \(context.run.scope?.description ?? "the root")"))
            await context.dispatch(Account.State.Action(name: "Ada"))
            return try await context.state(of: Account.State.self).name.count
        }
        try await room.register(Part<TagB>(flows: [answer]))

        #expect(try await room.perform(Question()) == "Ada".count)
        #expect(try await house.state(of: Log.self).entries.last?.hasSuffix(#"["r"]"#) == true)
        #expect(try await store.state(of: Account.State.self).name == "Ada")
        await #expect(throws: Relux.EffectError.self) { try await house.perform(Question()) }
    }

    @Test("what a context in an instance registers, resets, and cancels concerns that instance and what it contains")
    func contexts() async throws {
        let acting = WorkSaga { _, context in
            try await context.register(Part<TagC>.counting())
            await context.dispatch(Counter<TagC>.Add())
            await context.reset(except: [Counter<TagC>.self])
        }
        let store = try await Relux.Store {
            Account.Module()
            House(id: 1, sagas: [acting])
            House(id: 2)
        }
        let houses = [1, 2].map { store.scope(of: House.self, id: $0) }
        await store.dispatch(Account.State.Action(name: "Ada"))
        for house in houses { await house.dispatch(Log.Action.add("more")) }

        try await houses[0].perform(Work())

        #expect(try await houses[0].state(of: Log.self).entries == ["house 1"])
        #expect(try await houses[1].state(of: Log.self).entries == ["house 2", "more"])
        #expect(try await store.state(of: Account.State.self).name == "Ada")
        #expect(await houses[0].read { $0[Counter<TagC>.self]?.value } == 1)
        #expect(await houses[1].read { $0[Counter<TagC>.self]?.value } == nil)
    }

    @Test("a required module must be registered around the instance, or in the same call, in any order")
    func requires() async throws {
        let store = Relux.Store()
        let error = await #expect(throws: Relux.StoreError.self) {
            try await store.register(Room(id: "a", requires: [Account.Module.self]))
        }
        try await store.register(Room(id: "a", requires: [Account.Module.self]), Account.Module())
        try await store.register(House(id: 1))
        let house = store.scope(of: House.self, id: 1)
        try await house.register(Room(id: "inner", requires: [House.self, Account.Module.self]))
        await store.unregister(Account.Module.self)

        #expect(error?.name == "missing")
        #expect(error?.description.contains("InstancePart requires ReluxTests.Account.Module") == true)
        #expect(await store.read { $0[Account.State.self] } != nil)
        await store.unregister(Room.self, id: "a")
        #expect(await store.read { $0[Account.State.self] } != nil)
        await house.unregister(Room.self, id: "inner")
        #expect(await store.read { $0[Account.State.self] } == nil)
    }

    @Test("a module that depends on instances of its own type without end is a cycle")
    func endlessInstances() async throws {
        struct Mirror: Relux.Module, Identifiable {
            let id: Int
            var dependencies: [any Relux.Module] { [Mirror(id: id + 1)] }
        }
        #expect(await Relux.StoreError.name { try await store.register(Mirror(id: 0)) } == "dependencyCycle")
    }

    // This used to be refused as a cycle, because only the types were compared.
    @Test("an instance may depend on another instance of its type that is registered, before it or in the same call")
    func otherInstance() async throws {
        struct Folder: Relux.Module, Identifiable {
            let id: Int
            var around: Int?
            var dependencies: [any Relux.Module] { around.map { [Folder(id: $0)] } ?? [] }
        }
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Folder(id: 1)
            Folder(id: 2, around: 1)
        }
        try await store.register(Folder(id: 3, around: 2))

        await store.unregister(Folder.self, id: 2)
        await store.unregister(Folder.self, id: 1)
        let all = observer.moduleCount
        await store.unregister(Folder.self, id: 3)

        #expect(all == 3)
        #expect(observer.moduleCount == 0)
    }

    @Test("middleware reads from the scope in which an action was dispatched")
    func middleware() async throws {
        let seen = Trace<String>()
        let reading = HookMiddleware { _, reader in
            seen.note(reader[Log.self]?.entries.first ?? "–")
            return .proceed
        }
        let store = try await Relux.Store(.init(middleware: [reading])) {
            Account.Module()
            House(id: 1)
        }

        await store.scope(of: House.self, id: 1).dispatch(Account.State.Action(name: "a"))
        await store.dispatch(Account.State.Action(name: "b"))
        await store.dispatch(Relux.ChildAction(House.self, id: 1, Account.State.Action(name: "c")))

        #expect(seen.entries == ["house 1", "–", "–"])
        #expect(try await store.state(of: Account.State.self).changes == 3)
    }
}
