import Relux
import Testing

@Suite("Law 13: all or nothing", .timeLimit(.minutes(10)))
struct Law13AllOrNothingTests {
    /// The reasons for which a registration is refused.
    enum Conflict: CaseIterable {
        case stateOfRegisteredModule
        case stateOfTwoNewModules
        case stateListedTwice
        case stateOfDependency
        case flowOfRegisteredModule
        case flowsOfTwoNewModules
        case flowsOfOneModule
        case foreignReducer
        case foreignReducerOfRegisteredState
        case cycleOfOne
        case cycleOfTwo
        case cycleOfThree

        /// A module that can be registered with `Base`.
        func valid(_ trace: Trace<String>) -> any Relux.Module {
            let watcher = ClosureWatcher { _ in trace.note("watcher") }
            return Part<TagA>(
                states: [Counter<TagA>()], reducers: [.ticking(TagA.self)], flows: [AskFlow<TagA>()],
                watchers: [watcher], dependencies: [Part<TagB>(states: [Counter<TagB>()], watchers: [watcher])]
            )
        }

        /// A module that can't be registered with `Base` and the module above.
        var invalid: any Relux.Module {
            switch self {
            case .stateOfRegisteredModule: Part<TagC>(states: [Log()])
            case .stateOfTwoNewModules: Part<TagC>(states: [Counter<TagC>(), Counter<TagA>()])
            case .stateListedTwice: Part<TagC>(states: [Counter<TagC>(), Counter<TagC>()])
            case .stateOfDependency:
                Part<TagC>(states: [Counter<TagC>()], dependencies: [Part<TagD>(states: [Counter<TagC>()])])
            case .flowOfRegisteredModule: Part<TagC>(flows: [QuestionFlow { _, _ in 2 }])
            case .flowsOfTwoNewModules: Part<TagC>(flows: [AskFlow<TagC>(), AskFlow<TagA>()])
            case .flowsOfOneModule: Part<TagC>(flows: [AskFlow<TagC>(), AskFlow<TagC>()])
            case .foreignReducer: Part<TagC>(reducers: [.ticking(TagA.self)])
            case .foreignReducerOfRegisteredState:
                Part<TagC>(reducers: [.init(of: Log.self, on: Tick.self) { state, _ in state.entries.append("tick") }])
            case .cycleOfOne: Narcissus()
            case .cycleOfTwo: Hen()
            case .cycleOfThree: Rock()
            }
        }
    }

    struct Narcissus: Relux.Module {
        var dependencies: [any Relux.Module] { [Narcissus()] }
    }

    struct Hen: Relux.Module {
        var dependencies: [any Relux.Module] { [Egg()] }
    }

    struct Egg: Relux.Module {
        var dependencies: [any Relux.Module] { [Hen()] }
    }

    struct Rock: Relux.Module {
        var dependencies: [any Relux.Module] { [Scissors()] }
    }

    struct Scissors: Relux.Module {
        var dependencies: [any Relux.Module] { [Log.Module(), Paper()] }
    }

    struct Paper: Relux.Module {
        var dependencies: [any Relux.Module] { [Rock()] }
    }

    /// What the store contains beforehand: a log, a saga, and a flow.
    private struct Base: Relux.Module {
        var sagas: [any Relux.Saga] {
            [WorkSaga { work, context in await context.dispatch(Log.Action.add(work.name)) }]
        }
        var flows: [any Relux.Flow] { [QuestionFlow { question, _ in question.number }] }
        var dependencies: [any Relux.Module] { [Log.Module()] }
    }

    @Test("A registration connects a module and its dependencies completely")
    func connectsEntirely() async throws {
        let watched = Trace<String>()
        let ended = Countdown(from: 2)
        let store = Relux.Store()

        try await store.register(
            Part<TagA>(
                states: [Counter<TagA>()], reducers: [.ticking(TagB.self, by: 10), .ticking(TagA.self)],
                sagas: [WorkSaga { _, context in await context.dispatch(Counter<TagB>.Add()) }],
                flows: [AskFlow<TagA>()],
                watchers: [
                    ClosureWatcher { context in
                        await context.dispatch(Counter<TagA>.Add(amount: 100))
                        ended.count()
                    }
                ],
                dependencies: [
                    Part<TagB>(
                        states: [Counter<TagB>()],
                        watchers: [
                            ClosureWatcher { _ in
                                watched.note("watcher")
                                ended.count()
                            }
                        ]
                    )
                ]
            )
        )

        await store.dispatch(Tick())
        try await store.perform(Work())
        let answer = try await store.perform(Ask<TagA>())
        await ended.zero()
        #expect(answer == "answer")
        #expect(await store.count(of: TagA.self) == 101)
        #expect(await store.count(of: TagB.self) == 11)
        #expect(watched.entries == ["watcher"])
    }

    @Test("A registration that is refused throws and leaves the store unchanged", arguments: Conflict.allCases)
    func leavesNothing(_ conflict: Conflict) async throws {
        let observer = TraceObserver()
        let watched = Trace<String>()
        let store = try await Relux.Store(.init(observers: [observer])) { Base() }
        let before = await store.tables()
        let eventsBefore = observer.trace.entries

        await #expect(throws: Relux.StoreError.self) {
            try await store.register(conflict.valid(watched), conflict.invalid)
        }

        #expect(await store.tables() == before)
        #expect(observer.trace.entries == eventsBefore)
        #expect(watched.entries == [])
        await #expect(throws: Relux.StoreError.self) { try await store.state(of: Counter<TagA>.self) }
        try await store.perform(Work(name: "still"))
        #expect(try await store.state(of: Log.self).entries == ["still"])
        #expect(try await store.perform(Question(number: 7)) == 7)
    }

    @Test("A valid module that was refused along with an invalid one can be registered on its own")
    func canBeRepeated() async throws {
        let store = Relux.Store()
        let valid = Part<TagA>(states: [Counter<TagA>()], flows: [AskFlow<TagA>()])
        await #expect(throws: Relux.StoreError.self) {
            try await store.register(valid, Part<TagC>(states: [Counter<TagA>()]))
        }

        try await store.register(valid)

        await store.dispatch(Counter<TagA>.Add())
        #expect(await store.count(of: TagA.self) == 1)
        #expect(try await store.perform(Ask<TagA>()) == "answer")
    }

    @Test("No store is created from modules that are refused")
    func storeIsNotMade() async {
        await #expect(throws: Relux.StoreError.self) {
            try await Relux.Store {
                Part<TagA>.counting()
                Part<TagB>(states: [Counter<TagA>()])
            }
        }
    }

    @Test("Attaching a module that is refused holds nothing")
    func attachesNothing() async throws {
        let store = try await Relux.Store { Part<TagA>.counting() }
        let before = await store.tables()

        await #expect(throws: Relux.StoreError.self) {
            _ = try await store.attach(Part<TagB>(states: [Counter<TagA>()], dependencies: [Log.Module()]))
        }

        #expect(await store.tables() == before)
    }

    @Test("A module may reduce the states of its dependencies' dependencies, whether new or already registered")
    func reducesTransitively() async throws {
        let store = try await Relux.Store { Part<TagB>.counting(needing: Part<TagC>.counting()) }

        try await store.register(
            Part<TagA>(
                reducers: [.ticking(TagC.self), .ticking(TagD.self)],
                dependencies: [Part<TagB>.counting(), Log.Module(), Between()]
            )
        )

        await store.dispatch(Tick())
        #expect(await store.count(of: TagC.self) == 1)
        #expect(await store.count(of: TagD.self) == 1)
    }

    private struct Between: Relux.Module {
        var dependencies: [any Relux.Module] { [Part<TagD>.counting()] }
    }

    @Test("A dependency may not reduce a state of the module that depends on it")
    func doesNotReduceUpwards() async throws {
        let store = Relux.Store()

        await #expect(throws: Relux.StoreError.self) {
            try await store.register(
                Part<TagA>.counting(needing: Part<TagB>(reducers: [.ticking(TagA.self)]))
            )
        }
    }
}
