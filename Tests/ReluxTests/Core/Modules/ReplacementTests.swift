import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("replace", .timeLimit(.minutes(10)))
struct ReplacementTests {
    private let observer = TraceObserver()
    private let gate = Gate()
    private let trace = Trace<String>()

    /// What the current service of a feature does, as a feature flag would choose it.
    private struct Feature: Relux.Module {
        struct State: Relux.State {
            var lines: [String] = []
            var isWorking = false

            enum Action: Relux.Action { case add(String), gaveUp }

            mutating func reduce(_ action: Action) {
                if case .add(let line) = action { lines.append(line) }
                isWorking = false
            }
        }

        struct Work: Relux.Effect {}

        struct Worker: Relux.Saga {
            let service: String
            let gate: Gate?

            func actionOnCancel(_ trigger: Work) -> (any Relux.Action)? { State.Action.gaveUp }

            func run(_ trigger: Work, in context: Relux.SagaContext) async throws {
                await gate?.pass()
                await context.dispatch(State.Action.add(service))
            }
        }

        struct Watching: Relux.Watcher {
            let service: String
            let trace: Trace<String>
            let hasBegun: AsyncStream<Void>.Continuation?

            func watch(in context: Relux.SagaContext) async throws {
                let actions = context.actionStream(of: State.Action.self)
                trace.note("\(service) begins")
                hasBegun?.yield()
                for await _ in actions {}
                trace.note("\(service) ends")
            }
        }

        let service: String
        var gate: Gate?
        var trace = Trace<String>()
        var hasBegun: AsyncStream<Void>.Continuation?
        var initial = State()
        var dependencies: [any Relux.Module] = []
        var requires: [any Relux.Module.Type] = []
        var extra: [any Relux.State] = []

        var states: [any Relux.State] { [initial] + extra }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: Work.self) { [service] state, _ in
                    state.isWorking = true
                    state.lines.append("asked \(service)")
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Worker(service: service, gate: gate)] }
        var watchers: [any Relux.Watcher] { [Watching(service: service, trace: trace, hasBegun: hasBegun)] }
    }

    @Test("sagas, reducers, and initial values become those of the new module, and the states keep their values")
    func replaces() async throws {
        let store = try await Relux.Store { Feature(service: "old") }
        try await store.perform(Feature.Work())

        try await store.replace(Feature(service: "new", initial: Feature.State(lines: ["initial"])))
        try await store.perform(Feature.Work())
        let lines = try await store.state(of: Feature.State.self).lines
        await store.reset()

        #expect(lines == ["asked old", "old", "asked new", "new"])
        #expect(try await store.state(of: Feature.State.self).lines == ["initial"])
    }

    @Test(
        "a request under way is cancelled in that step, cleans up, and writes nothing; a later one uses the new service"
    )
    func underWay() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Feature(service: "old", gate: gate) }
        let old = Task { try await store.perform(Feature.Work()) }
        await gate.arrivals()
        var working = store.values(of: Feature.State.self) { $0.isWorking }.makeAsyncIterator()
        _ = await working.next()

        let replacement = Task { try await store.replace(Feature(service: "new")) }
        #expect(await working.next() == false)
        try await store.perform(Feature.Work())
        gate.open()
        try await replacement.value
        let error = await #expect(throws: Relux.EffectError.self) { try await old.value }

        #expect("\(String(describing: error))".contains("cancelled"))
        #expect(try await store.state(of: Feature.State.self).lines == ["asked old", "asked new", "new"])
        #expect(observer.refusals.entries.contains { if case .staleWrite = $0.reason { true } else { false } })
    }

    @Test("it returns when the cancelled runs have ended, although they ignore their cancellation")
    func waits() async throws {
        let world = SeededExecutor(seed: 1)
        let store = Relux.Store(.init(executor: world))
        try await store.register(Feature(service: "old", gate: gate))
        await store.dispatch(Feature.Work())
        await world.rest()

        Task(executorPreference: world) {
            try await store.replace(Feature(service: "new"))
            trace.note("replaced")
        }
        await world.rest()
        let before = trace.entries
        await world.rest(opening: gate)

        #expect(before.isEmpty)
        #expect(trace.entries == ["replaced"])
    }

    @Test("the watchers of the old module end, and those of the new one begin")
    func watchers() async throws {
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        var beginnings = begun.makeAsyncIterator()
        let store = try await Relux.Store { Feature(service: "old", trace: trace, hasBegun: hasBegun) }
        await beginnings.next()
        try await store.replace(Feature(service: "new", trace: trace, hasBegun: hasBegun))
        await beginnings.next()
        await store.shutdown()

        #expect(trace.entries.filter { $0.hasPrefix("old") } == ["old begins", "old ends"])
        #expect(trace.entries.filter { $0.hasPrefix("new") } == ["new begins", "new ends"])
    }

    @Test("dependencies that only the old module needed go, and those that the new one needs come")
    func dependencies() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            Feature(service: "old", dependencies: [Part<TagA>.counting(), Part<TagB>.counting()])
        }
        await store.dispatch(Counter<TagB>.Add())

        try await store.replace(Feature(service: "new", dependencies: [Part<TagB>.counting(), Part<TagC>.counting()]))

        #expect(await store.count(of: TagA.self) == nil)
        #expect(await store.count(of: TagB.self) == 1)
        #expect(await store.count(of: TagC.self) == 0)
        await store.unregister(Feature.self)
        #expect(observer.moduleCount == 0)
    }

    @Test("it throws, and changes nothing, if there is no such module, other states, or something is missing")
    func refusals() async throws {
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let store = try await Relux.Store { Feature(service: "old", hasBegun: hasBegun) }
        // The stream of the watcher is in the tables, too.
        _ = await begun.first { _ in true }
        let before = await store.tables()

        let unknown = await #expect(throws: Relux.StoreError.self) { try await store.replace(Account.Module()) }
        let other = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(Feature(service: "new", extra: [Account.State()]))
        }
        let missing = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(Feature(service: "new", requires: [Account.Module.self]))
        }
        let itself = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(Feature(service: "new", requires: [Feature.self]))
        }

        let names = [unknown, other, missing, itself].map { $0?.name }
        #expect(names == ["moduleNotRegistered", "otherStates", "missing", "missing"])
        #expect(await store.tables() == before)
    }

    @Test("the owners, leases, and dependents of the old module hold the new one")
    func owners() async throws {
        struct Needy: Relux.Module { var requires: [any Relux.Module.Type] { [Feature.self] } }
        let store = try await Relux.Store {
            Feature(service: "old")
            Needy()
        }
        try await store.replace(Feature(service: "new"))

        await store.unregister(Feature.self)
        #expect(await store.read { $0[Feature.State.self] } != nil)
        await store.unregister(Needy.self)
        #expect(await store.read { $0[Feature.State.self] } == nil)
    }

    @Test("a replacement that would close a cycle names all of its modules")
    func cycle() async throws {
        struct Second: Relux.Module { var requires: [any Relux.Module.Type] { [Feature.self] } }
        struct Third: Relux.Module { var requires: [any Relux.Module.Type] { [Second.self] } }
        let store = try await Relux.Store {
            Feature(service: "old")
            Second()
            Third()
        }

        let error = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(Feature(service: "new", requires: [Third.self]))
        }

        guard case .dependencyCycle(let modules) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(modules.map { "\($0)" } == ["Feature", "Third", "Second", "Feature"])
    }

    @Test("a replacement is checked as a registration is, apart from what it replaces")
    func checks() async throws {
        let answering = Part<TagA>(flows: [AskFlow<TagA>()])
        let store = try await Relux.Store {
            Log.Module()
            Part<TagB>()
            answering
        }

        try await store.replace(answering)
        let twice = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(Part<TagB>(flows: [AskFlow<TagA>()]))
        }
        let foreign = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(Part<TagB>(reducers: [Relux.Reducer(of: Log.self, on: Tick.self) { _, _ in }]))
        }

        #expect([twice, foreign].map { $0?.name } == ["effectAnsweredTwice", "foreignReducer"])
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
        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "a", Chat.Send(text: "never")))
        await gate.arrivals()

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

        let alone = await #expect(throws: Relux.StoreError.self) {
            try await store.replace(Chat.Module(id: "outer", requires: [Chat.Module.self]))
        }
        #expect(alone?.name == "missing")
    }

    /// A child whose reducer says which version of it there is.
    private struct Child: Relux.Module, Identifiable {
        struct Ask: Relux.Action {}

        let id: String
        let version: String

        var states: [any Relux.State] { [Log()] }
        var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: Log.self, on: Ask.self) { [version] log, _ in log.entries.append(version) }]
        }
    }

    private struct Family: Relux.Module {
        struct State: Relux.State {
            typealias Action = Never
            var ids = ["a"]
        }

        let version: String

        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] {
            [.each(of: State.self, \.ids) { [version] id, _ in Child(id: id, version: version) }]
        }
    }

    @Test("the reducers of an instance become those of the new module, and the old ones are gone")
    func reducersOfInstances() async throws {
        let store = try await Relux.Store { Family(version: "old") }
        let child = store.scope(of: Child.self, id: "a")
        await child.dispatch(Child.Ask())

        try await store.replace(Family(version: "new"))
        await child.dispatch(Child.Ask())

        #expect(try await child.state(of: Log.self).entries == ["old", "new"])
    }
}
