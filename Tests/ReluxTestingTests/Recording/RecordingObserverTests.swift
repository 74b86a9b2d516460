import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("RecordingObserver", .timeLimit(.minutes(10)))
struct RecordingObserverTests {
    @Test("it records actions, runs and modules in the order of the reports")
    func keepsTheOrder() async throws {
        let recorder = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [recorder])) { Finder.Module(service: PromptFinder()) }

        await store.dispatch(Finder.Find(query: "a")).finished()

        #expect(
            recorder.events.map(\.description) == [
                "registered Finder.Module",
                "#1 Finder.Find(query: \"a\")",
                "Finder.Saga #1 started",
                "#2 Finder.State.Action.answered(\"a!\") from Finder.Saga #1",
                "Finder.Saga #1 finished",
            ]
        )
    }

    @Test("it records what becomes of modules, and in which instances")
    func modules() async throws {
        let recorder = RecordingObserver()
        let store = Relux.Store(.init(observers: [recorder]))
        let finder = Finder.Module(service: PromptFinder())

        try await store.register(finder)
        try await store.register(finder)
        try await store.replace(finder)
        let desk = try await store.attach(Desk.Module(id: 1))
        try await desk.scope.register(Hidden.Module())
        try await desk.scope.replace(Hidden.Module())
        await desk.end()
        await store.unregister(Finder.Module.self)
        await store.unregister(Finder.Module.self)

        #expect(
            recorder.events.map(\.description) == [
                "registered Finder.Module",
                "shared Finder.Module",
                "replaced Finder.Module",
                "registered Desk.Module in Desk.Module[1]",
                "registered Hidden.Module in Desk.Module[1]",
                "replaced Hidden.Module in Desk.Module[1]",
                "unregistered Hidden.Module in Desk.Module[1]",
                "unregistered Desk.Module in Desk.Module[1]",
                "unregistered Finder.Module",
            ]
        )
    }

    @Test("it records what a step registers and unregisters before the step's actions")
    func modulesBeforeActions() async throws {
        let recorder = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [recorder])) { TestScopeTests.List.Module() }

        await store.dispatch {
            TestScopeTests.List.State.Action(rows: [1])
            TestScopeTests.List.State.Action(rows: [2])
        }

        #expect(
            recorder.events.map(\.description) == [
                "registered TestScopeTests.List.Module",
                "registered TestScopeTests.Row.Module in TestScopeTests.Row.Module[1]",
                "unregistered TestScopeTests.Row.Module in TestScopeTests.Row.Module[1]",
                "registered TestScopeTests.Row.Module in TestScopeTests.Row.Module[2]",
                "#1 TestScopeTests.List.State.Action(rows: [1])",
                "#2 TestScopeTests.List.State.Action(rows: [2])",
            ]
        )
    }

    @Test("a simulation's trace shows what becomes of modules")
    func modulesInTraces() async {
        let issues = await recordedIssues {
            await Simulation.explore(seeds: 0..<1) { world in
                let store = try await world.store { Hidden.Module() }
                try await store.register(Hidden.Module())
                try await store.replace(Hidden.Module())
                Issue.record("here")
            }
        }

        #expect(issues.count == 1)
        let lines = ["0 s  registered Hidden.Module", "0 s  shared Hidden.Module", "0 s  replaced Hidden.Module"]
        #expect(issues.first?.text.contains(lines.joined(separator: "\n    ")) == true, "\(issues)")
    }

    @Test("it lists the actions of a type, the runs with their outcomes, and the refusals")
    func views() async throws {
        let recorder = RecordingObserver()
        let gate = Gate()
        let store = try await Relux.Store(.init(observers: [recorder])) {
            Finder.Module(service: GatedFinder(gate: gate), policy: .leading)
        }

        await store.dispatch(Finder.Find(query: "a"))
        await store.dispatch(Finder.Find(query: "b"))
        await store.dispatch(Unwanted())

        #expect(recorder.actions.count == 3)
        #expect(recorder.actions(of: Finder.Find.self) == [.init(query: "a"), .init(query: "b")])
        #expect(recorder.records.map(\.sequence) == [1, 2, 3])
        #expect(recorder.runs(of: Finder.Saga.self).map { $0.outcome?.description } == [nil, "dropped"])
        #expect(recorder.refusals.compactMap(\.action).map { $0 is Unwanted } == [true])
        gate.open()
    }

    @Test("it tells the runs of several stores apart, although the stores number them alike")
    func runsOfStores() async throws {
        let (recorder, gate) = (RecordingObserver(), Gate())
        func store(_ service: any FinderService, _ clock: ManualClock = ManualClock()) async throws -> Relux.Store {
            try await Relux.Store(.init(clock: clock, observers: [recorder])) {
                Finder.Module(service: service, policy: .leading)
            }
        }
        let clock = ManualClock()
        let (prompt, first, second) = (
            try await store(PromptFinder()), try await store(GatedFinder(gate: gate)),
            try await store(GatedFinder(gate: gate), clock)
        )
        await clock.advance(by: .seconds(1))

        await prompt.dispatch(Finder.Find(query: "a")).finished()
        await first.dispatch(Finder.Find(query: "b"))
        let other = await second.dispatch(Finder.Find(query: "c"))
        await second.dispatch(Finder.Find(query: "d"))
        await second.cancel(Finder.Saga.self)
        gate.open()
        await other.finished()

        let runs = recorder.runs(of: Finder.Saga.self).map { run in
            "\((run.record.trigger as? Finder.Find)?.query ?? "") \(run.record.id) \(run.outcome?.description ?? "-")"
        }
        #expect(runs.prefix(1) == ["a 1 finished"])
        #expect(runs.dropFirst().first.map { ["b 1 -", "b 1 finished"].contains($0) } == true)
        #expect(runs.dropFirst(2) == ["c 1 cancelled", "d 2 dropped"])
    }

    @Test("it records an error that nobody receives, even if no run ends with it")
    func failures() async throws {
        let (recorder, quiet) = (RecordingObserver(), RecordingObserver())
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) {
            Trouble.Module()
            Unsavable.Module()
        }
        let other = try await Relux.Store(.init(observers: [quiet])) { Trouble.Module() }

        await store.dispatch(Trouble.Fail()).finished()
        await store.dispatch(Unsavable.Change()).finished()
        try? await store.saved()
        await store.dispatch(Unsavable.Finish()).finished()
        try? await other.perform(Trouble.Fail())

        let texts = recorder.events.map { $0.description.replacing(/\s#\d+/, with: "") }
        #expect(
            texts.filter { $0.contains("Failure") } == [
                "nobody receives the error of Trouble.FailSaga: Trouble.Failure()",
                "Trouble.FailSaga failed: Trouble.Failure()",
                "nobody receives the error of save of Unsavable.State: Trouble.Failure()",
                "nobody receives the error of Unsavable.Saga: Trouble.OtherFailure()",
            ]
        )
        #expect(recorder.failures.map { type(of: $0) is Trouble.Failure.Type } == [true, true, false])
        #expect(quiet.failures.isEmpty)
    }

    @Test("a wait for an action returns one that was already recorded, otherwise the next")
    func awaitsActions() async throws {
        let recorder = RecordingObserver()
        let gate = Gate()
        let store = try await Relux.Store(.init(observers: [recorder])) {
            Finder.Module(service: GatedFinder(gate: gate))
        }
        await store.dispatch(Finder.Find(query: "a"))

        let past = await recorder.first(Finder.Find.self)
        async let future = recorder.first(Finder.State.Action.self) { $0 == .answered("a!") }
        gate.open()

        #expect(past == Finder.Find(query: "a"))
        #expect(await future == .answered("a!"))
    }

    @Test("a wait for several events returns the first ones")
    func awaitsSeveral() async throws {
        let recorder = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [recorder])) { Finder.Module(service: PromptFinder()) }
        async let ends = recorder.first(3) { $0.runEnded != nil }

        for query in ["a", "b", "c", "d"] { await store.dispatch(Finder.Find(query: query)).finished() }

        #expect(await ends.compactMap(\.runEnded?.id) == [1, 2, 3])
    }

    @Test("a wait for no event doesn't wait")
    func awaitsNone() async {
        #expect(await RecordingObserver().first(0) { _ in true }.isEmpty)
    }

    @Test("a cancelled wait returns no event", arguments: [true, false])
    func cancellation(isEarly: Bool) async {
        let recorder = RecordingObserver()
        let gate = Gate()
        let wait = Task {
            if isEarly { await gate.pass() }
            return await recorder.first(where: { _ in true }) == nil
        }

        if isEarly { await gate.arrivals() }
        wait.cancel()
        gate.open()

        #expect(await wait.value)
    }

    @Test("a text contains no address, even if types are private")
    func stableTexts() async throws {
        let recorder = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [recorder])) { Hidden.Module() }

        await store.dispatch(Hidden.Work()).finished()
        await store.dispatch(Hidden.Unwanted(number: 1))

        let texts = recorder.events.map(\.description)
        #expect(
            texts.prefix(4) == [
                "registered Hidden.Module", "#1 Hidden.Work()", "Hidden.Saga #1 started",
                "nobody receives the error of Hidden.Saga #1: Hidden.Failure()",
            ])
        #expect(texts.count == 7)
        #expect(texts.allSatisfy { !$0.contains("unknown context") })
    }
}

private struct Unwanted: Relux.Action {}

/// A state that can't be saved, and a run that throws after it has finished.
private enum Unsavable {
    struct Change: Relux.Action {}
    struct Finish: Relux.Effect {}

    struct State: Relux.State {
        typealias Action = Never

        var count = 0
    }

    struct Saga: Relux.Saga {
        func run(_ trigger: Finish, in context: Relux.SagaContext) async throws {
            await context.finish {}
            throw Trouble.OtherFailure()
        }
    }

    struct Place: Relux.StatePersistence {
        typealias S = State

        func load(into initial: State) async throws(Relux.LoadFailure) -> State? { nil }
        func save(_ state: State) async throws { throw Trouble.Failure() }
        func erase() async throws {}
        func setAside() async throws {}
        var unreadable: Relux.UnreadableRule { .startUnsaved }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var persistence: [any Relux.StatePersistence] { [Place()] }
        var sagas: [any Relux.Saga] { [Saga()] }
        var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Change.self) { state, _ in state.count += 1 }]
        }
    }
}

/// A module with instances.
private enum Desk {
    struct Module: Relux.Module, Identifiable {
        let id: Int
    }
}

private enum Hidden {
    struct Work: Relux.Effect {}

    struct Unwanted: Relux.Action {
        let number: Int
    }

    struct Failure: Error {}

    struct Saga: Relux.Saga {
        func run(_ trigger: Work, in context: Relux.SagaContext) async throws { throw Failure() }
    }

    struct Module: Relux.Module {
        var sagas: [any Relux.Saga] { [Saga()] }
    }
}
