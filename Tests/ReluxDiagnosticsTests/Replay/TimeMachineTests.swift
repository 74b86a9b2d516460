import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("TimeMachine", .timeLimit(.minutes(10)))
struct TimeMachineTests {
    private func recorded(_ states: Relux.TraceRecorder.States = .changed) async throws -> Relux.Trace {
        let recorder = Relux.TraceRecorder(states: states)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Shop.Module() }
        try await store.perform(Shop.Effect.load)
        await store.dispatch {
            Shop.State.Action.renamed(id: 1, title: "Oat milk")
            Shop.State.Action.removed(2)
        }
        return recorder.trace
    }

    @Test("it knows the state after each action, those of a batch included")
    func states() async throws {
        let machine = Relux.TimeMachine(try await recorded())

        #expect(machine.state(of: Shop.State.self, at: 0) == Shop.State())
        #expect(machine.state(of: Shop.State.self, at: 1)?.isLoading == true)
        #expect(machine.state(of: Shop.State.self, at: 2)?.list.map(\.title) == ["Milk", "Tea"])
        #expect(machine.state(of: Shop.State.self, at: 3)?.list.map(\.title) == ["Oat milk", "Tea"])
        #expect(machine.state(of: Shop.State.self, at: 4)?.list.map(\.title) == ["Oat milk"])
        let last: Shop.State? = machine.state(at: 99)
        #expect(last?.list.count == 1)
        #expect(machine.state(of: Room.State.self, at: 4) == nil)
    }

    @Test("of states that were not kept, nothing is known, even if their last values are")
    func unknownStates() async throws {
        let recorder = Relux.TraceRecorder(states: .last(2))
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Scale.Module() }
        for _ in 1...4 { await store.dispatch(Scale.Action.counted) }

        for trace in [recorder.trace, try Relux.Trace(jsonLines: recorder.trace.jsonLines)] {
            let machine = Relux.TimeMachine(trace)
            #expect((0...4).map { machine.state(of: Scale.self, at: $0)?.count } == [nil, nil, 2, 3, 4])
        }
    }

    @Test("an action leaves what its step opens, and not what its step closes")
    func instances() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { House.Module() }
        await store.dispatch(House.State.Action.rang)
        await store.dispatch(House.State.Action.opened(["front"]))
        await store.scope(of: House.Door.self, id: "front").dispatch(House.Door.State.Action.said("hello"))
        await store.dispatch(House.State.Action.closed("front"))

        let machine = Relux.TimeMachine(recorder.trace)

        let lines = (1...4).map {
            machine.state(of: House.Door.State.self, in: "House.Door[\"front\"]", at: $0)?.lines
        }
        #expect(lines == [nil, [], ["hello"], nil])
    }

    @Test("pure reducers give the same states again, from a file too")
    func pure() async throws {
        let trace = try await recorded()
        let read = try Relux.Trace(jsonLines: trace.jsonLines)

        #expect(Relux.TimeMachine(trace).verify().description == "4 reductions give the same states again.")
        #expect(Relux.TimeMachine(read, modules: [Shop.Module()]).verify().checked == 4)
        // Without the module, the reducer of the effect isn't known.
        let rest = Relux.TimeMachine(read).verify()
        #expect(rest.unchecked == ["Shop.Effect": 1])
        #expect(
            rest.description == """
                3 reductions give the same states again. Of these actions, the value, the reducer, or the state before \
                isn't known: Shop.Effect (1).
                """)
        #expect(Relux.TimeMachine(try await recorded(.none)).verify().description == "Nothing was checked.")
    }

    @Test("after a NaN, everything can be reduced again, from a file too")
    func notANumber() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Scale.Module() }
        for weight: Double in [1, .nan, .infinity, -Double.infinity] {
            await store.dispatch(Scale.Action.weighed("a", weight))
        }
        await store.dispatch {
            Scale.Action.weighed("b", .nan)
            Scale.Action.counted
            Scale.Action.counted
        }

        let read = try Relux.Trace(jsonLines: recorder.trace.jsonLines)
        let machine = Relux.TimeMachine(read)

        #expect(Relux.TimeMachine(recorder.trace).verify().description == "7 reductions give the same states again.")
        #expect(machine.verify().description == "7 reductions give the same states again.")
        #expect(machine.state(of: Scale.self, at: 2)?.weights["a"]?.isNaN == true)
        #expect(machine.state(of: Scale.self, at: 3)?.weights["a"] == .infinity)
        // Each action of the batch has its own result, although no state equals itself.
        #expect(machine.state(of: Scale.self, at: 6)?.count == 1)
        #expect(Relux.TimeMachine(recorder.trace).state(of: Scale.self, at: 6)?.count == 1)
        // An action that leaves the NaN alone hasn't changed it.
        #expect(recorder.why(Scale.self, \.weights["b"]).action?.sequence == 5)
        #expect(read.why("Scale.weights[\"b\"]").action?.sequence == 5)
    }

    @Test("a state that differs in more than a NaN is another one")
    func otherThanNaN() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Scale.Module() }
        await store.dispatch(Scale.Action.weighed("a", .nan))
        await store.dispatch(Scale.Action.guessed)

        let result = Relux.TimeMachine(recorder.trace).verify()

        #expect(result.impure?.action.sequence == 2)
        #expect(result.impure?.isRepeatable == false)
    }

    @Test("a reducer that has changed is found by the changes alone, and they are named")
    func changedReducer() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Book.Module() }
        await store.dispatch(Book.Action.turned)
        // As if the reducer had turned two pages then.
        let text = recorder.trace.jsonLines.replacing("\"new\":\"1\"", with: "\"new\":\"2\"")

        let trace = try Relux.Trace(
            jsonLines: text, types: [Book.self, Book.Action.self], modules: [Book.Module()])

        #expect(Relux.TimeMachine(trace).verify().impure?.differences == ["page: 1"])
    }

    @Test("each action is reduced again by what was registered then, whatever has been replaced or dropped since")
    func otherReducers() async throws {
        let recorders = [
            Relux.TraceRecorder(states: .changed), Relux.TraceRecorder(states: .changed, capacity: 4),
        ]
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: recorders)) {
            Toll.Module()
            Toll.Fares(fare: 1)
        }
        await store.dispatch(Toll.Passed())
        try await store.replace(Toll.Fares(fare: 5))
        await store.dispatch {
            Toll.Passed()
            Toll.Passed()
        }
        await store.unregister(Toll.Fares.self)
        try await store.register(Toll.Fares(fare: 7))
        await store.dispatch(Toll.Passed())

        let (whole, end) = (Relux.TimeMachine(recorders[0].trace), Relux.TimeMachine(recorders[1].trace))

        #expect(whole.verify().description == "4 reductions give the same states again.")
        #expect((0...4).map { whole.state(of: Toll.self, at: $0)?.sum } == [0, 1, 6, 11, 18])
        #expect(end.verify().description == "1 reduction gives the same states again.")
        #expect(end.state(of: Toll.self, at: 4)?.sum == 18)
    }

    @Test("each instance's actions are reduced again by its own reducers, and by those of an instance that has closed")
    func reducersOfInstances() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Toll.Road() }
        await store.dispatch(Toll.Booths.Action.opened([1, 2]))
        for id in [1, 2] { await store.scope(of: Toll.Booth.self, id: id).dispatch(Toll.Passed()) }
        await store.scope(of: Toll.Booth.self, id: 1).dispatch(Toll.Left())

        let result = Relux.TimeMachine(recorder.trace).verify()

        #expect(result.description == "4 reductions give the same states again.")
    }

    @Test("what several given modules depend on, or own, is reduced once")
    func sharedDependency() async throws {
        struct Lane<Name>: Relux.Module {
            var dependencies: [any Relux.Module] { [Toll.Fares(fare: 1)] }
        }
        struct Spare: Relux.Module, Identifiable {
            let id = 1
            var states: [any Relux.State] { [Toll()] }
        }
        let recorder = Relux.TraceRecorder(states: .changed)
        let modules: [any Relux.Module] = [Lane<Int>(), Lane<String>(), Spare()]
        let store = try Relux.Store(.init(clock: ManualClock(), observers: [recorder]), modules: modules)
        await store.dispatch(Toll.Passed())
        await store.dispatch(Toll.Action.counted)

        let read = try Relux.Trace(jsonLines: recorder.trace.jsonLines, modules: modules)

        for machine in [Relux.TimeMachine(recorder.trace, modules: modules), Relux.TimeMachine(read)] {
            #expect(machine.verify().description == "2 reductions give the same states again.")
        }
    }

    @Test("the first action whose reducer is impure is named")
    func impure() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Dice.Module() }
        await store.dispatch(Dice.Action.reset)
        await store.dispatch(Dice.Action.rolled, fileID: "App/Main.swift", line: 3)
        await store.dispatch(Dice.Action.reset)

        let result = Relux.TimeMachine(recorder.trace).verify()

        #expect(result.impure?.action.sequence == 2)
        #expect(!result.isPure)
        #expect(
            result.description.hasPrefix(
                "#2 Dice.Action.rolled (App/Main.swift:3) gives another state each time in Dice:\n  pips: "))
    }

    @Test("of a batch, too")
    func impureInBatch() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Scale.Module() }
        await store.dispatch {
            Scale.Action.counted
            Scale.Action.guessed
        }

        let impure = Relux.TimeMachine(recorder.trace).verify().impure

        #expect(impure?.action.sequence == 2)
        #expect(impure?.isRepeatable == false)
    }

    @Test("beside an action whose reducer isn't known, such as a dismissal, no other one is suspected")
    func dismissalInBatch() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Pages.Module() }
        await store.dispatch(Pages.Stack.Action.push("a"))
        let id = try #require(await store.state(of: Pages.Stack.self).entries.first?.id)
        await store.dispatch {
            Relux.Dismissal(of: store.scope(of: Pages.Page.self, id: id))
            Pages.Stack.Action.push("b")
            Pages.Stack.Action.push("c")
        }

        for trace in [recorder.trace, try Relux.Trace(jsonLines: recorder.trace.jsonLines)] {
            #expect(Relux.TimeMachine(trace).verify().impure == nil)
        }
        #expect(Relux.TimeMachine(recorder.trace).verify().checked == 1)
        #expect(
            recorder.trace.why(Pages.Stack.self, \.pages).description.contains(
                "or by another action of its step, whose reducer isn't known"))
        #expect(
            Relux.TimeMachine(recorder.trace).state(of: Pages.Stack.self, at: 4)?.pages == ["b", "c"])
    }

    @Test("instances whose ids have the same text have histories of their own")
    func equalTexts() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) {
            Day.Module(id: .init(number: 1))
            Day.Module(id: .init(number: 2))
        }
        for number in [1, 1, 2, 1] {
            await store.scope(of: Day.Module.self, id: .init(number: number)).dispatch(Scale.Action.counted)
        }

        let machine = Relux.TimeMachine(recorder.trace)
        let counts = ["Day.Module[a day]", "Day.Module[a day] (2)"].map { scope in
            (1...4).map { machine.state(of: Scale.self, in: scope, at: $0)?.count }
        }

        #expect(machine.verify().description == "4 reductions give the same states again.")
        #expect(counts == [[1, 2, 2, 3], [0, 0, 1, 1]])
    }
}

/// Too large for its values to be in a file: only its changes are.
private struct Book: Relux.State, Codable {
    var text = String(repeating: "x", count: 5_000)
    var page = 0
    enum Action: Relux.Action, Codable { case turned }
    mutating func reduce(_ action: Action) { page += 1 }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Book()] }
    }
}

private struct Dice: Relux.State {
    var pips: UInt64 = 0
    enum Action: Relux.Action { case rolled, reset }
    mutating func reduce(_ action: Action) {
        switch action {
        case .rolled: pips = .random(in: 1 ... .max)
        case .reset: pips = 0
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Dice()] }
    }
}

struct Scale: Relux.State, Codable {
    var weights: [String: Double] = [:]
    var count = 0
    var guess: UInt64 = 0

    enum Action: Relux.Action, Codable { case weighed(String, Double), counted, guessed }

    mutating func reduce(_ action: Action) {
        switch action {
        case .weighed(let name, let weight): weights[name] = weight
        case .counted: count += 1
        // Not pure on purpose.
        case .guessed: guess = UInt64.random(in: .min ... .max)
        }
    }

    struct Module: Relux.Module { var states: [any Relux.State] { [Scale()] } }
}

/// Pages that are instances.
private enum Pages {
    typealias Stack = Relux.Navigation.Stack<String>

    struct Page: Relux.Module, Identifiable { let id: Stack.Entry.ID }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Stack()] }
        var children: [Relux.Children] { [.each(of: Stack.self, \.entries) { entry, _ in Page(id: entry.id) }] }
    }
}

/// A day, whose text doesn't tell which.
private enum Day {
    struct ID: Hashable, CustomStringConvertible {
        let number: Int
        var description: String { "a day" }
    }

    struct Module: Relux.Module, Identifiable {
        let id: ID
        var states: [any Relux.State] { [Scale()] }
    }
}

/// A sum of fares, which another module determines.
struct Toll: Relux.State, Codable {
    var sum = 0
    enum Action: Relux.Action, Codable { case counted }
    mutating func reduce(_ action: Action) { sum += 1 }

    struct Passed: Relux.Action, Codable {}
    struct Left: Relux.Action {}

    struct Module: Relux.Module { var states: [any Relux.State] { [Toll()] } }

    struct Fares: Relux.Module {
        let fare: Int
        var dependencies: [any Relux.Module] { [Module()] }
        var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: Toll.self, on: Passed.self) { [fare] state, _ in state.sum += fare }]
        }
    }

    /// The ids of the booths, each of which has its own fare, and closes itself.
    struct Booths: Relux.State {
        var open: [Int] = []
        enum Action: Relux.Action { case opened([Int]) }
        mutating func reduce(_ action: Action) { if case .opened(let ids) = action { open = ids } }
    }

    struct Booth: Relux.Module, Identifiable {
        let id: Int
        var requires: [any Relux.Module.Type] { [Road.self] }
        var states: [any Relux.State] { [Toll()] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: Toll.self, on: Passed.self) { [id] state, _ in state.sum += id },
                Relux.Reducer(of: Booths.self, on: Left.self) { [id] state, _ in state.open.removeAll { $0 == id } },
            ]
        }
    }

    struct Road: Relux.Module {
        var states: [any Relux.State] { [Booths()] }
        var children: [Relux.Children] { [.each(of: Booths.self, \.open) { id, _ in Booth(id: id) }] }
    }
}
