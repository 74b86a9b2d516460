import Relux
import Testing

@Suite("Law 13: all or nothing", .timeLimit(.minutes(10)))
struct Law13AllOrNothingTests: Staged {
    let scene = Scene()

    /// The reasons for which a registration is refused.
    enum Conflict: CaseIterable {
        case stateOfRegisteredModule, stateOfTwoNewModules, stateListedTwice, stateOfDependency
        case flowOfRegisteredModule, flowsOfTwoNewModules, flowsOfOneModule, foreignReducer
        case foreignReducerOfRegisteredState, reducerOfDependent, cycleOfOne, cycleOfTwo, cycleOfThree

        /// A module that can be registered with `Base`.
        func valid(_ trace: Trace<String>) -> any Relux.Module {
            let watcher = ClosureWatcher { _ in trace.note("watcher") }
            return Part<TagA>(
                states: [Counter<TagA>()], reducers: [.ticking(TagB.self, by: 10), .ticking(TagA.self)],
                sagas: [ClosureSaga<Errand> { _, context in await context.dispatch(Counter<TagB>.Add()) }],
                flows: [AskFlow<TagA>()], watchers: [watcher],
                dependencies: [Part<TagB>(states: [Counter<TagB>()], watchers: [watcher])]
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
            case .reducerOfDependent: Part<TagC>.counting(needing: Part<TagD>(reducers: [.ticking(TagC.self)]))
            case .cycleOfOne: ringOfOne()
            case .cycleOfTwo: ringOfTwo()
            case .cycleOfThree: ringOfThree()
            }
        }
    }

    /// A module that needs the next one of a ring, and something else.
    struct Link<T: Tag>: Relux.Module {
        let next: @Sendable () -> any Relux.Module
        var dependencies: [any Relux.Module] { [Log.Module(), next()] }
    }

    static func ringOfOne() -> any Relux.Module { Link<TagA>(next: ringOfOne) }

    static func ringOfTwo() -> any Relux.Module { Link<TagA> { Link<TagB>(next: ringOfTwo) } }

    static func ringOfThree() -> any Relux.Module {
        Link<TagA> { Link<TagB> { Link<TagC>(next: ringOfThree) } }
    }

    private struct Together: Relux.Module {
        let dependencies: [any Relux.Module]
    }

    /// What the store contains beforehand: a log, a saga, and a flow.
    private static let base = SagaModule(
        sagas: [WorkSaga { work, context in await context.dispatch(Log.Action.add(work.name)) }],
        flows: [QuestionFlow { question, _ in question.number }])

    @Test(
        "A registration or an attachment that is refused throws and changes nothing, and a valid one connects everything",
        arguments: Conflict.allCases, [false, true])
    func leavesNothing(_ conflict: Conflict, isAttached: Bool) async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Self.base }
        let before = await store.tables()
        let eventsBefore = observer.trace.entries
        let valid = conflict.valid(trace)

        await #expect(throws: Relux.StoreError.self) {
            if isAttached {
                _ = try await store.attach(Together(dependencies: [valid, conflict.invalid]))
            } else {
                try await store.register(valid, conflict.invalid)
            }
        }

        #expect(await store.tables() == before)
        #expect(observer.trace.entries == eventsBefore)
        #expect(trace.entries == [])
        await #expect(throws: Relux.StoreError.self) { try await store.state(of: Counter<TagA>.self) }
        try await store.perform(Work(name: "still"))
        #expect(try await store.state(of: Log.self).entries == ["still"])
        #expect(try await store.perform(Question(number: 7)) == 7)
        await #expect(throws: Relux.StoreError.self) { try await Relux.Store { [Self.base, valid, conflict.invalid] } }

        // What was refused along with something invalid can be registered on its own, and is then connected entirely.
        try await store.register(valid)
        await store.dispatch(Tick())
        try await store.perform(Errand())
        #expect(try await store.perform(Ask<TagA>()) == "answer")
        #expect(await trace.entries(atLeast: 2).count == 2)
        #expect(await store.count(of: TagA.self) == 1)
        #expect(await store.count(of: TagB.self) == 11)
    }

    @Test("A module may reduce the states of its dependencies' dependencies, whether new or already registered")
    func reducesTransitively() async throws {
        let store = try await Relux.Store { Part<TagB>.counting(needing: Part<TagC>.counting()) }

        try await store.register(
            Part<TagA>(
                reducers: [.ticking(TagC.self), .ticking(TagD.self)],
                dependencies: [Part<TagB>.counting(), Link<TagA> { Part<TagD>.counting() }]
            )
        )

        await store.dispatch(Tick())
        #expect(await store.count(of: TagC.self) == 1)
        #expect(await store.count(of: TagD.self) == 1)
    }
}
