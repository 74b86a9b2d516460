import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("TraceRecorder", .timeLimit(.minutes(10)))
struct TraceRecorderTests {
    private func made(
        _ states: Relux.TraceRecorder.States = .changed, capacity: Int = 1_000
    ) async throws -> (Relux.TraceRecorder, Relux.Store) {
        let recorder = Relux.TraceRecorder(states: states, capacity: capacity)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) {
            Shop.Module()
            Room.Module(id: "a")
        }
        return (recorder, store)
    }

    @Test("the trace has everything in order, with numbers, call sites, causes and outcomes")
    func order() async throws {
        let (recorder, store) = try await made()

        try await store.perform(Shop.Effect.load, fileID: "App/Main.swift", line: 7)
        recorder.note("done")

        #expect(
            recorder.trace.lines == [
                "0 s  registered Shop.Module",
                "0 s  registered Room.Module in Room.Module[\"a\"]",
                "0 s  #1 Shop.Effect.load (App/Main.swift:7)",
                "0 s  Shop.Saga #1 started by #1",
                """
                0 s  #2 Shop.State.Action.loaded([Shop.Product(id: 1, title: "Milk"), Shop.Product(id: 2, title: "Tea")]) \
                (Shop/Saga.swift:1) from Shop.Saga #1
                """,
                "0 s  Shop.Saga #1 finished",
                "0 s  done",
            ]
        )
        #expect(recorder.trace.runs.map(\.trigger) == [1])
        #expect(recorder.trace.runs.map(\.outcome) == ["finished"])
        #expect(recorder.trace.actions.map(\.caseName) == ["load", "loaded"])
    }

    @Test("an error that nobody received has the run, of which nothing else is said if it is a save")
    func failures() async throws {
        struct Saved: Relux.Module, Identifiable {
            let id = 1
            var states: [any Relux.State] { [Room.State()] }
            var persistence: [any Relux.StatePersistence] { [FullDisk()] }
        }
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Saved() }

        await store.scope(of: Saved.self, id: 1).dispatch(Room.State.Action.said("hello"))
        await #expect(throws: (any Error).self) { try await store.saved() }

        for trace in [recorder.trace, try Relux.Trace(jsonLines: recorder.trace.jsonLines)] {
            let line = try #require(trace.lines.last)
            #expect(line.contains("save of Room.State #"), "\(line)")
            #expect(line.contains("Saved[1] failed, and nobody received: "), "\(line)")
        }
    }

    @Test("the first change of a state that an instance brings along is a change, not a beginning")
    func dependencies() async throws {
        struct Corner: Relux.Module, Identifiable {
            let id: Int
            var dependencies: [any Relux.Module] { [Shop.Module()] }
        }
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Corner(id: 1) }

        await store.scope(of: Corner.self, id: 1).dispatch(Shop.State.Action.noted("new"))

        #expect(recorder.trace.why("Shop.State.note").action?.sequence == 1)
    }

    @Test("of more events than the capacity, the last ones are kept, with the states before them")
    func capacity() async throws {
        let (recorder, store) = try await made(capacity: 3)

        await store.dispatch(Shop.State.Action.loaded([Shop.Product(id: 1, title: "Milk")]))
        for title in ["A", "B", "C", "D"] { await store.dispatch(Shop.State.Action.renamed(id: 1, title: title)) }

        let trace = recorder.trace
        #expect(trace.actions.map(\.sequence) == [3, 4, 5])
        #expect(trace.dropped == 4)
        let why = trace.why(Shop.State.self, \.[1]?.title)
        #expect(why.action?.sequence == 5)
        #expect(why.old == "\"C\"")
        #expect(trace.why(Shop.State.self, \.note).remark == "nothing in this trace has changed it; it is nil")
    }

    @Test("with the last states only, earlier changes are not known, and later ones are exact")
    func lastStates() async throws {
        let (recorder, store) = try await made(.last(2))

        await store.dispatch(Shop.State.Action.loaded([Shop.Product(id: 1, title: "Milk")]))
        await store.dispatch(Shop.State.Action.noted("x"))
        for title in ["A", "B", "C"] { await store.dispatch(Shop.State.Action.renamed(id: 1, title: title)) }

        let trace = recorder.trace
        #expect(trace.actions.count == 5)
        #expect(trace.why(Shop.State.self, \.[1]?.title).old == "\"B\"")
        #expect(trace.why(Shop.State.self, \.note).action == nil)
    }

    @Test("only the listed states are kept, and none with none")
    func chosenStates() async throws {
        let (recorder, store) = try await made(.changed(of: [Room.State.self]))
        let (blind, other) = try await made(.none)

        await store.dispatch(Shop.State.Action.noted("x"))
        await store.scope(of: Room.Module.self, id: "a").dispatch(Room.State.Action.said("hello"))
        await other.dispatch(Shop.State.Action.noted("x"))

        #expect(recorder.why(Shop.State.self, \.note).action == nil)
        #expect(recorder.why(Room.State.self, \.lines.count).action?.sequence == 2)
        #expect(
            blind.why(Shop.State.self, \.note).description
                == "Shop.State.note: this trace has no values of it. Record with `states: .changed`."
        )
    }

    @Test("states are dropped in whole steps, and those that are left are exact, in a file too", arguments: 1...8)
    func boundaries(count: Int) async throws {
        let limits: [(Relux.TraceRecorder.States, capacity: Int)] = [(.last(count), 1_000), (.changed, count)]
        for (states, capacity) in limits {
            let (recorder, store) = try await made(states, capacity: capacity)
            await store.dispatch(Shop.State.Action.noted("1"))
            await store.dispatch {
                Shop.State.Action.noted("2")
                Shop.Effect.nothing
                Shop.State.Action.noted("4")
            }
            .finished()
            await store.dispatch(Shop.State.Action.noted("5"))

            let read = try Relux.Trace(jsonLines: recorder.trace.jsonLines, modules: [Shop.Module()])
            for trace in [recorder.trace, read] {
                let machine = Relux.TimeMachine(trace)
                #expect(machine.verify().impure == nil)
                for (number, note) in [nil, "1", "2", "2", "4"].enumerated() {
                    let state = machine.state(of: Shop.State.self, at: UInt64(number))
                    #expect(state.map { $0.note == note } ?? true, "\(number)")
                }
                #expect(machine.state(of: Shop.State.self, at: 5)?.note == "5")
                #expect(trace.why(Shop.State.self, \.note).action?.sequence == 5)
                #expect(trace.why("Shop.State.note").action?.sequence == 5)
            }
        }
    }

    @Test("the rest of a step whose states are dropped is dropped as well, even after the start of a run")
    func droppedSteps() async throws {
        struct Tally: Relux.State {
            enum Action: Relux.Action { case added }
            var count = 0
            mutating func reduce(_ action: Action) { count += 1 }
        }
        struct Checked: Relux.Effect {}
        struct Module: Relux.Module {
            var states: [any Relux.State] { [Tally()] }
            var sagas: [any Relux.Saga] {
                [Relux.Reaction(to: Checked.self) { _, context in try await context.sleep(for: .seconds(1)) }]
            }
        }
        let recorder = Relux.TraceRecorder(states: .changed, capacity: 1)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Module() }

        await store.dispatch {
            Tally.Action.added
            Checked()
            Tally.Action.added
        }

        let verification = Relux.TimeMachine(recorder.trace).verify()
        #expect(verification.impure == nil)
        #expect(verification.checked == 0)
    }

    @Test("a state around an instance is kept if an action of the instance changes it", arguments: ["hello", "bye"])
    func parents(line: String) async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { House.Module() }
        await store.dispatch(House.State.Action.opened(["front"]))

        await store.scope(of: House.Door.self, id: "front").dispatch(House.Door.State.Action.said(line))
        await store.dispatch(House.State.Action.opened(["back"]))

        #expect(recorder.why(House.State.self, \.heard).action?.sequence == 2)
        #expect(Relux.TimeMachine(recorder.trace).verify().isPure)
    }

    @Test("in a batch, a state around an instance has a change of its own for each action that it hears")
    func parentsInBatches() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { House.Module() }

        await store.dispatch {
            House.State.Action.opened(["front"])
            Relux.ChildAction(House.Door.self, id: "front", House.Door.State.Action.said("hello"))
        }

        let machine = Relux.TimeMachine(recorder.trace)
        #expect(recorder.why(House.State.self, \.doors).action?.sequence == 1)
        #expect(recorder.why(House.State.self, \.heard).action?.sequence == 2)
        #expect(machine.state(of: House.State.self, at: 1)?.doors == ["front"])
        #expect(machine.state(of: House.State.self, at: 1)?.heard == [])
        #expect(machine.verify().description == "3 reductions give the same states again.")
    }

    @Test("in a batch, a state hears an instance in an instance, once for each scope that takes the action")
    func nestedParentsInBatches() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Yard.Module() }
        typealias Said = Relux.ChildAction<Yard.Bolt, Yard.Bolt.State.Action>

        await store.dispatch {
            Yard.State.Action.opened([1, 2])
            Relux.ChildAction(Yard.Gate.self, id: 1, Said(id: "a", .said("hello")))
            Relux.ChildAction(Yard.Gate.self, id: 2, Said(id: "b", .said("bye")))
        }

        let machine = Relux.TimeMachine(recorder.trace)
        #expect(recorder.why(Yard.State.self, \.gates).action?.sequence == 1)
        #expect(machine.state(of: Yard.State.self, at: 2)?.heard == ["gate: a", "1, a: hello"])
        #expect(
            machine.state(of: Yard.State.self, at: 3)?.heard == ["gate: a", "1, a: hello", "gate: b", "2, b: bye"])
        #expect(machine.verify().uncheckedCount == 0)
        #expect(machine.verify().isPure)
    }

    @Test("the states of instances that listen are kept")
    func listeners() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { House.Module() }
        await store.dispatch(House.State.Action.opened(["front", "back"]))

        await store.dispatch(House.State.Action.rang)
        await store.dispatch(House.State.Action.rang)

        for door in ["front", "back"] {
            let why = recorder.why(House.Door.State.self, \.rings, in: "House.Door[\"\(door)\"]")
            #expect(why.action?.sequence == 3)
            #expect(why.old == "1")
        }
        #expect(Relux.TimeMachine(recorder.trace).verify().description == "7 reductions give the same states again.")
    }

    @Test("a batch to very many instances is split in a time that grows with their number")
    func largeBatches() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { House.Module() }
        let doors = (0..<10_000).map { "\($0)" }
        await store.dispatch(House.State.Action.opened(doors))

        await store.dispatch(
            contentsOf: doors.map { Relux.ChildAction(House.Door.self, id: $0, House.Door.State.Action.knocked) })

        #expect(recorder.why(House.Door.State.self, \.rings, in: "House.Door[\"7\"]").action?.sequence == 9)
    }

    @Test("each action of a batch has its own change")
    func batches() async throws {
        let (recorder, store) = try await made()
        await store.dispatch(Shop.State.Action.loaded([Shop.Product(id: 1, title: "Milk")]))

        await store.dispatch {
            Shop.State.Action.renamed(id: 1, title: "Oat milk")
            Shop.State.Action.noted("x")
            Shop.State.Action.noted("y")
        }

        let trace = recorder.trace
        #expect(trace.why(Shop.State.self, \.[1]?.title).action?.sequence == 2)
        #expect(trace.why(Shop.State.self, \.note).action?.sequence == 4)
        #expect(
            trace.why(Shop.State.self, \.note).old == "Optional(\"x\")"
                || trace.why(Shop.State.self, \.note).old == "\"x\"")
    }

    @Test("a reset is not an action, so nothing before it explains a value")
    func resets() async throws {
        let (recorder, store) = try await made()
        await store.dispatch(Shop.State.Action.noted("x"))

        await store.reset()
        await store.dispatch(Shop.State.Action.removed(1))

        #expect(recorder.why(Shop.State.self, \.note).remark == "0 s  reset Shop.State, Room.State")
    }

    @Test("instances are told apart, and one that was opened again begins anew")
    func instances() async throws {
        let (recorder, store) = try await made()
        try await store.register(Room.Module(id: "b"))
        await store.scope(of: Room.Module.self, id: "a").dispatch(Room.State.Action.said("first"))
        await store.scope(of: Room.Module.self, id: "b").dispatch(Room.State.Action.said("second"))
        await store.unregister(Room.Module.self, id: "b")
        let gone = recorder.trace
        try await store.register(Room.Module(id: "b"))

        let trace = recorder.trace
        #expect(trace.why(Room.State.self, \.lines, in: "Room.Module[\"a\"]").action?.sequence == 1)
        #expect(gone.why(Room.State.self, \.lines, in: "Room.Module[\"b\"]").action?.sequence == 2)
        #expect(trace.why(Room.State.self, \.lines, in: "Room.Module[\"b\"]").new == "[]")
        #expect(trace.why(Room.State.self, \.lines, in: "Room.Module[\"b\"]").action == nil)
        #expect(trace.why("Room.State.lines", in: "Room.Module[\"b\"]").action == nil)
        let machine = Relux.TimeMachine(trace)
        #expect(machine.state(of: Room.State.self, in: "Room.Module[\"b\"]", at: 2)?.lines == ["second"])
        #expect(machine.state(of: Room.State.self, in: "Room.Module[\"b\"]", at: 3)?.lines == [])
    }

    @Test("recording changes no order: the same scenario has the same actions with and without it")
    func orderIsTheSame() async throws {
        func order(_ observers: [any Relux.StoreObserver]) async throws -> [String] {
            let log = RecordingObserver()
            let store = try await Relux.Store(.init(clock: ManualClock(), observers: observers + [log])) {
                Shop.Module()
            }
            try await store.perform(Shop.Effect.rename(1, "x"))
            await store.actions(.concurrently) {
                Shop.Effect.load
                Shop.State.Action.removed(1)
            }
            return log.events.map { "\($0)" }
        }

        #expect(try await order([]) == order([Relux.TraceRecorder(), Relux.FlightRecorder()]))
    }

    @Test("it keeps no store alive, and no run")
    func lifetime() async throws {
        weak var released: Relux.Store?
        let recorder = Relux.TraceRecorder(states: .changed)
        do {
            let store = try await Relux.Store(.init(observers: [recorder])) { Shop.Module() }
            released = store
            try await store.perform(Shop.Effect.load)
        }

        #expect(released == nil)
        #expect(recorder.trace.actions.count == 2)
    }

    @Test("a deinit of a value that is dropped may use the recorder")
    func deinits() async throws {
        let recorder = Relux.TraceRecorder(states: .changed, capacity: 2)
        let store = try await Relux.Store(.init(observers: [recorder])) { Holding() }

        for number in 1...5 {
            await store.dispatch(Held.Action.took(Noting(number, recorder)))
        }

        #expect(recorder.trace.lines.count == 2)
    }

    @Test("a deinit of what a reducer holds may use the recorder, when the events of its module are dropped")
    func deinitsOfReducers() async throws {
        let recorder = Relux.TraceRecorder(states: .none, capacity: 2)
        let store = try await Relux.Store(.init(observers: [recorder])) { Lending(Noting(1, recorder)) }
        await store.unregister(Lending.self)

        try await store.register(Lending(Noting(2, recorder)))
        recorder.note("later")

        #expect(recorder.trace.lines == ["0 s  later", "0 s  1 is gone"])
    }
}

/// A yard with gates, which have bolts. It hears what is said at the bolts, as do its gates, which tell it.
private enum Yard {
    struct State: Relux.State {
        enum Action: Relux.Action { case opened([Int]) }
        var gates: [Int] = []
        var heard: [String] = []
        mutating func reduce(_ action: Action) {
            switch action {
            case .opened(let ids): gates += ids
            }
        }
    }

    struct Bolt: Relux.Module, Identifiable {
        struct State: Relux.State {
            enum Action: Relux.Action { case said(String) }
            var lines: [String] = []
            mutating func reduce(_ action: Action) {
                switch action {
                case .said(let line): lines.append(line)
                }
            }
        }

        let id: String
        var states: [any Relux.State] { [State()] }
    }

    struct Gate: Relux.Module, Identifiable {
        struct State: Relux.State {
            var bolts = ["a", "b"]
        }

        let id: Int
        var requires: [any Relux.Module.Type] { [Yard.Module.self] }
        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] { [.each(of: State.self, \.bolts) { id, _ in Bolt(id: id) }] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: Yard.State.self, on: Relux.ChildAction<Bolt, Bolt.State.Action>.self) { yard, said in
                    yard.heard.append("gate: \(said.id)")
                }
            ]
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] { [.each(of: State.self, \.gates) { id, _ in Gate(id: id) }] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(
                    of: State.self, on: Relux.ChildAction<Gate, Relux.ChildAction<Bolt, Bolt.State.Action>>.self
                ) { yard, gate in
                    guard case .said(let line) = gate.action.action else { return }
                    yard.heard.append("\(gate.id), \(gate.action.id): \(line)")
                }
            ]
        }
    }
}

/// A module whose reducer holds an object.
private struct Lending: Relux.Module {
    private let object: Noting

    init(_ object: Noting) { self.object = object }

    var states: [any Relux.State] { [Held()] }
    var reducers: [Relux.Reducer] { [Relux.Reducer(of: Held.self, on: Lent.self) { [object] in _ = ($0, $1, object) }] }
}

private struct Lent: Relux.Action {}

/// A value that tells a recorder that it is gone.
private final class Noting: Sendable, Equatable {
    private let number: Int
    private let recorder: Relux.TraceRecorder

    init(_ number: Int, _ recorder: Relux.TraceRecorder) {
        (self.number, self.recorder) = (number, recorder)
    }

    deinit { recorder.note("\(number) is gone") }

    static func == (lhs: Noting, rhs: Noting) -> Bool { lhs === rhs }
}

private struct Held: Relux.State {
    var last: Noting?
    enum Action: Relux.Action { case took(Noting) }
    mutating func reduce(_ action: Action) {
        switch action {
        case .took(let value): last = value
        }
    }
}

private struct Holding: Relux.Module {
    var states: [any Relux.State] { [Held()] }
}
