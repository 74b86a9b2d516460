import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("replace", .timeLimit(.minutes(10)))
struct ReplacementTests: Staged {
    let scene = Scene()

    /// What the current service of a feature does, as a feature flag would choose it.
    private typealias Feature = Part<TagA>

    private func feature(
        _ service: String, gate: Gate? = nil, initial: Log = Log(), also states: [any Relux.State] = [],
        needing dependencies: [any Relux.Module] = [], requiring required: [any Relux.Module.Type] = []
    ) -> Feature {
        let asking = Relux.Reducer(of: Log.self, on: Work.self) { log, _ in log.entries.append("asked \(service)") }
        let worker = WorkSaga(cleanup: { _ in .add("\(service) gave up") }) { _, context in
            await gate?.pass()
            await context.dispatch(Log.Action.add(service))
        }
        let watcher = ClosureWatcher { [trace] context in
            let actions = context.actionStream(of: Log.Action.self)
            trace.note("\(service) begins")
            for await _ in actions {}
            trace.note("\(service) ends")
        }
        return Feature(
            states: [initial] + states, reducers: [asking], sagas: [worker], watchers: [watcher],
            dependencies: dependencies, requires: required)
    }

    @Test("sagas, reducers, and initial values become those of the new module, and the states keep their values")
    func replaces() async throws {
        let store = try await Relux.Store { feature("old") }
        try await store.perform(Work())

        try await store.replace(feature("new", initial: Log("initial")))
        try await store.perform(Work())
        let lines = try await store.log()
        await store.reset()

        #expect(lines == ["asked old", "old", "asked new", "new"])
        #expect(try await store.log() == ["initial"])
    }

    @Test(
        "a request under way is cancelled in that step, cleans up, and writes nothing; a later one uses the new service"
    )
    func underWay() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { feature("old", gate: gate) }
        let old = await performing(Work(), in: store)

        let replacement = Task { try await store.replace(feature("new")) }
        // The replacement itself waits for the old run.
        try await store.logged("old gave up")
        try await store.perform(Work())
        gate.open()
        try await replacement.value

        #expect(await old.value == .cancelled)
        #expect(try await store.log() == ["asked old", "old gave up", "asked new", "new"])
        #expect(observer.reasons.contains("staleWrite"))
    }

    @Test(
        "it returns when the cancelled runs have ended, although they ignore their cancellation",
        arguments: [false, true])
    func waits(ofDependency: Bool) async throws {
        let world = SeededExecutor(seed: 1)
        let store = Relux.Store(.init(executor: world))
        let old = feature("old", gate: gate)
        try await store.register(ofDependency ? Part<TagB>(dependencies: [old]) : old)
        await world.settle { await store.dispatch(Work()) }
        let replaced = Event()

        await world.settle {
            if ofDependency { try await store.replace(Part<TagB>()) } else { try await store.replace(feature("new")) }
            replaced.fire()
        }
        let before = replaced.hasFired
        await world.open(gate)

        #expect(!before)
        #expect(replaced.hasFired)
    }

    @Test("the watchers of the old module end, and those of the new one begin")
    func watchers() async throws {
        let store = try await Relux.Store { feature("old") }
        await trace.entries(atLeast: 1)
        try await store.replace(feature("new"))
        await trace.entries { $0.contains("new begins") }
        await store.shutdown()

        #expect(trace.entries.filter { $0.hasPrefix("old") } == ["old begins", "old ends"])
        #expect(trace.entries.filter { $0.hasPrefix("new") } == ["new begins", "new ends"])
    }

    @Test("dependencies that only the old module needed go, and those that the new one needs come")
    func dependencies() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            feature("old", needing: [Part<TagD>.counting(), Part<TagB>.counting()])
        }
        await store.dispatch(Counter<TagB>.Add())

        try await store.replace(feature("new", needing: [Part<TagB>.counting(), Part<TagC>.counting()]))

        #expect(await store.count(of: TagD.self) == nil)
        #expect(await store.count(of: TagB.self) == 1)
        #expect(await store.count(of: TagC.self) == 0)
        await store.unregister(Feature.self)
        #expect(observer.moduleCount == 0)
    }

    /// What is wrong with a replacement.
    enum Misfit: String, CaseIterable {
        case moduleNotRegistered, otherStates, missing, missingItself
    }

    @Test(
        "it throws, and changes nothing, if there is no such module, other states, or something is missing",
        arguments: Misfit.allCases)
    func refusals(misfit: Misfit) async throws {
        let store = try await Relux.Store { feature("old") }
        // The stream of the watcher is in the tables, too.
        await trace.entries(atLeast: 1)
        let before = await store.tables()

        let error = await Relux.StoreError.name {
            switch misfit {
            case .moduleNotRegistered: try await store.replace(Account.Module())
            case .otherStates: try await store.replace(feature("new", also: [Account.State()]))
            case .missing: try await store.replace(feature("new", requiring: [Account.Module.self]))
            case .missingItself: try await store.replace(feature("new", requiring: [Feature.self]))
            }
        }

        #expect(error == (misfit == .missingItself ? "missing" : misfit.rawValue))
        #expect(await store.tables() == before)
    }

    @Test("the owners, leases, and dependents of the old module hold the new one")
    func owners() async throws {
        let store = try await Relux.Store {
            feature("old")
            Part<TagB>(requires: [Feature.self])
        }
        try await store.replace(feature("new"))

        await store.unregister(Feature.self)
        #expect(await store.read { $0[Log.self] } != nil)
        await store.unregister(Part<TagB>.self)
        #expect(await store.read { $0[Log.self] } == nil)
    }

    @Test("a replacement that would close a cycle names all of its modules")
    func cycle() async throws {
        let store = try await Relux.Store {
            feature("old")
            Part<TagB>(requires: [Feature.self])
            Part<TagC>(requires: [Part<TagB>.self])
        }

        let error = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(feature("new", requiring: [Part<TagC>.self]))
        }

        guard case .dependencyCycle(let modules) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(modules.map { "\($0)" } == ["Part<TagA>", "Part<TagC>", "Part<TagB>", "Part<TagA>"])
    }

    @Test("a replacement is checked as a registration is, apart from what it replaces")
    func checks() async throws {
        let answering = Part<TagA>(flows: [AskFlow<TagA>()])
        let foreign = Relux.Reducer(of: Log.self, on: Tick.self) { _, _ in }
        let store = try await Relux.Store {
            Log.Module()
            Part<TagB>()
            answering
        }

        try await store.replace(answering)
        let twice = Part<TagB>(flows: [AskFlow<TagA>()])
        #expect(await Relux.StoreError.name { try await store.replace(twice) } == "effectAnsweredTwice")
        let reducing = Part<TagB>(reducers: [foreign])
        #expect(await Relux.StoreError.name { try await store.replace(reducing) } == "foreignReducer")
    }

    @Test("the module keeps its place among the reducers of an action")
    func order() async throws {
        @Sendable func reducer(_ name: String) -> Relux.Reducer {
            Relux.Reducer(of: Log.self, on: Tick.self) { log, _ in log.entries.append(name) }
        }
        let store = try await Relux.Store {
            Part<TagA>(states: [Log()], reducers: [reducer("first")])
            Part<TagB>(reducers: [reducer("second")], dependencies: [Part<TagA>()])
        }
        try await store.replace(Part<TagA>(states: [Log()], reducers: [reducer("replaced")]))
        await store.dispatch(Tick())

        #expect(try await store.log() == ["replaced", "second"])
    }

    @Test("an instance is replaced by its id, and children by those that the new parent makes")
    func instances() async throws {
        let store = try await Relux.Store { Inbox.Module(chat: { Chat.Module(id: $0, gate: gate) }) }
        try await store.register(Chat.Module(id: "alone", gate: gate))
        await store.dispatch(Inbox.State.Action.set(["a", "b"]))
        for id in ["a", "b", "alone"] {
            await store.dispatch(Relux.ChildAction(Chat.Module.self, id: id, Chat.State.Action.sent("kept")))
        }
        await dispatching(Relux.ChildAction(Chat.Module.self, id: "a", Chat.Send(text: "never")), in: store)

        let replaced = Task {
            try await store.replace(Inbox.Module(chat: { Chat.Module(id: $0) }))
            try await store.replace(Chat.Module(id: "alone"))
        }
        var sending = store.scope(of: Chat.Module.self, id: "a").values(of: Chat.State.self) { $0.isSending }
            .makeAsyncIterator()
        while await sending.next() == true {}
        gate.open()
        try await replaced.value
        for id in ["a", "b", "alone"] {
            try await store.perform(Relux.ChildAction(Chat.Module.self, id: id, Chat.Send(text: "sent")))
        }
        let chats = await store.read {
            $0.states(of: Chat.State.self, in: Chat.Module.self).map { "\($0.id) \($0.state.messages)" }
        }
        await store.dispatch(Inbox.State.Action.set([]))

        #expect(Set(chats) == [#"a ["kept", "sent"]"#, #"b ["kept", "sent"]"#, #"alone ["kept", "sent"]"#])
        #expect(await store.read { $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) } == ["alone"])
    }

    @Test("an instance that requires another one of its type, around it, still does so when it is replaced")
    func requiresAnotherInstance() async throws {
        let store = try await Relux.Store { Chat.Module(id: "outer") }
        let outer = store.scope(of: Chat.Module.self, id: "outer")
        try await outer.register(Chat.Module(id: "inner", requires: [Chat.Module.self]))

        try await outer.replace(Chat.Module(id: "inner", requires: [Chat.Module.self]))

        let alone = await Relux.StoreError.name {
            try await store.replace(Chat.Module(id: "outer", requires: [Chat.Module.self]))
        }
        #expect(alone == "missing")
    }

    @Test("the reducers of an instance become those of the new module, and the old ones are gone")
    func reducersOfInstances() async throws {
        @Sendable func family(_ version: String) -> Pages.Module {
            let reducer = Relux.Reducer(of: Log.self, on: Tick.self) { log, _ in log.entries.append(version) }
            return Pages.Module(open: ["a"]) { InstancePart(id: $0, states: [Log()], reducers: [reducer]) }
        }
        let store = try await Relux.Store { family("old") }
        let child = store.scope(of: InstancePart.self, id: "a")
        await child.dispatch(Tick())

        try await store.replace(family("new"))
        await child.dispatch(Tick())

        #expect(try await child.state(of: Log.self).entries == ["old", "new"])
    }

    @Test("a state that another module reduces or follows by way of the replaced one stays", arguments: [true, false])
    func reducedByWayOf(isReduced: Bool) async throws {
        let child = Relux.Children.optional(of: Counter<TagC>.self, { $0.value > 0 ? "a" : nil }) { id, _ in
            InstancePart(id: id)
        }
        let middle = Part<TagB>.counting(needing: Part<TagC>.counting())
        let store = try await Relux.Store {
            Part<TagA>(
                reducers: isReduced ? [.ticking(TagC.self)] : [], dependencies: [middle],
                children: isReduced ? [] : [child])
        }

        try await store.replace(Part<TagB>.counting())

        #expect(await store.count(of: TagC.self) == 0)
    }
}
