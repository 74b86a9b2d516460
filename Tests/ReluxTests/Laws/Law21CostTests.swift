import Relux
import ReluxTesting
import Testing

@Suite("Law 21: cost", .timeLimit(.minutes(10)))
struct Law21CostTests {
    // MARK: A thousand modules

    /// These two types make thousands of module types: each additional bit doubles their number.
    private enum Zero<Rest> {}
    private enum One<Rest> {}

    /// Notes which of its parts are called.
    private struct Other<Number>: Relux.Module {
        struct Action: Relux.Action {}

        struct State: Relux.State {
            let asked: Trace<String>

            mutating func reduce(_ action: Action) { asked.note("reducer") }
            static func == (lhs: Self, rhs: Self) -> Bool { true }
        }

        struct Saga: Relux.Saga {
            let asked: Trace<String>

            func policy(for trigger: Action) -> Relux.Policy {
                asked.note("policy")
                return .concurrent
            }

            func run(_ trigger: Action, in context: Relux.SagaContext) async {}
        }

        let asked: Trace<String>

        var states: [any Relux.State] { [State(asked: asked)] }
        var sagas: [any Relux.Saga] { [Saga(asked: asked)] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Action.self) { state, _ in state.asked.note("reducer") }]
        }
    }

    private static func others(_ bits: Int, _ asked: Trace<String>) -> [any Relux.Module] {
        func grow<Number>(_ bits: Int, _ number: Number.Type) -> [any Relux.Module] {
            guard bits > 0 else { return [Other<Number>(asked: asked)] }
            return grow(bits - 1, Zero<Number>.self) + grow(bits - 1, One<Number>.self)
        }
        return grow(bits, Void.self)
    }

    @Test("a thousand other modules change nothing about what an action runs")
    func otherModulesAreNotAsked() async throws {
        let asked = Trace<String>()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga { _, _ in }.module()
            Self.others(10, asked)
        }

        await store.dispatch(Log.Action.add("a"))
        await store.dispatch {
            Log.Action.add("b")
            Work()
        }.finished()

        let states = observer.records.entries.map { $0.states.map { ObjectIdentifier($0) } }
        #expect(states == [[ObjectIdentifier(Log.self)], [ObjectIdentifier(Log.self)], []])
        #expect(observer.trace.entries.filter { $0.hasPrefix("start") } == ["start 1"])
        #expect(asked.entries == [])
        #expect(await store.read { $0.allStates.count } == 1025)
    }

    // MARK: Readers of other states

    /// Carries the readers, and runs them only when it is driven.
    private let world = SeededExecutor(seed: 21)

    private func makeStore() async throws -> Relux.Store {
        try await Relux.Store(.init(executor: world)) {
            Scales.Module()
            Log.Module()
        }
    }

    @Test("a change wakes no reader of another state")
    func otherReadersAreNotWoken() async throws {
        let readers = 100
        let (selections, ends) = (Trace<Int>(), Trace<Int>())
        let store = try await makeStore()
        let whole = store.values(of: Scales.Left.self)
        let selection = store.values(of: Scales.Left.self) { left in
            selections.note(left.loads)
            return left.loads
        }
        let overReader = store.values { reader in
            selections.note(reader[Scales.Left.self]?.loads ?? -1)
            return Scales.Reading(reader)
        }
        // Each reader gets its first value, waits, and gets the second one.
        for _ in 0..<readers {
            Task(executorPreference: world) { ends.note(await whole.prefix(2).elements().count) }
            Task(executorPreference: world) { ends.note(await selection.prefix(2).elements().count) }
            Task(executorPreference: world) { ends.note(await overReader.prefix(2).elements().count) }
        }
        await world.rest()
        let selectionsBefore = selections.entries

        for number in 0..<50 { await store.dispatch(Log.Action.add("\(number)")) }
        let wasAnyWoken = !world.isDry
        let selectionsBetween = selections.entries
        await world.settle { await store.dispatch(Scales.Load()) }

        #expect(!wasAnyWoken)
        #expect(selectionsBefore == Array(repeating: 0, count: readers * 2))
        #expect(selectionsBetween == selectionsBefore)
        #expect(ends.entries == Array(repeating: 2, count: readers * 3))
    }

    @Test("a reader that waits for several states leaves nothing behind in states that don't change")
    func waitsDontAccumulate() async throws {
        let store = try await makeStore()
        let values = store.values { reader in
            // One state that changes, one that doesn't, and one that is missing.
            [reader[Scales.Left.self]?.loads, reader[Log.self]?.entries.count, reader[Ledger.State.self]?.writes.count]
        }
        let reading = await world.settle { for await counts in values where counts[0] == 1_000 { return } }

        // It waits in the store before each change.
        for _ in 1..<1_000 {
            await world.settle { await store.dispatch(Scales.Load()) }
        }
        let resting = await store.waiterCount()
        await world.settle { await store.dispatch(Scales.Load()) }

        #expect(resting > 0 && resting <= 33)
        try await reading.value
    }

    // MARK: Selections

    @Test("a selection over a reader follows what it reads now, not what it read earlier")
    func selectionsFollowWhatTheyRead() async throws {
        let runs = Trace<Int>()
        let store = try await makeStore()
        // The selection reads the log only while the scale is empty.
        var values = store.values { reader in
            runs.note(0)
            let loads = reader[Scales.Left.self]?.loads ?? 0
            return loads == 0 ? reader[Log.self]?.entries.count ?? 0 : -loads
        }.makeAsyncIterator()

        let first = await values.next()
        await store.dispatch(Log.Action.add("read"))
        let second = await values.next()
        await store.dispatch(Scales.Load())
        let third = await values.next()
        let before = runs.entries.count
        for _ in 0..<10 { await store.dispatch(Log.Action.add("not read")) }
        async let fourth = values.next()
        await store.dispatch(Scales.Load())

        #expect([first, second, third] == [0, 1, -1])
        #expect(await fourth == -2)
        #expect(runs.entries.count == before + 1)
    }
}
