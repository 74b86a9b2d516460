import Testing

@testable import Relux

@Suite("Law 21: cost", .timeLimit(.minutes(10)))
struct Law21CostTests {
    // MARK: A thousand modules

    /// These two types make thousands of module types: each additional bit doubles their number.
    private enum Zero<Rest> {}
    private enum One<Rest> {}

    /// Records which parts of the other modules were called.
    private struct Asked: Sendable {
        let reducers = Trace<Int>()
        let policies = Trace<Int>()
    }

    private struct Other<Number>: Relux.Module {
        struct Action: Relux.Action {}

        struct State: Relux.State {
            let asked: Asked

            mutating func reduce(_ action: Action) { asked.reducers.note(0) }
            static func == (lhs: Self, rhs: Self) -> Bool { true }
        }

        struct Saga: Relux.Saga {
            let asked: Asked

            func policy(for trigger: Action) -> Relux.Policy {
                asked.policies.note(0)
                return .concurrent
            }

            func run(_ trigger: Action, in context: Relux.SagaContext) async {}
        }

        let asked: Asked

        var states: [any Relux.State] { [State(asked: asked)] }
        var sagas: [any Relux.Saga] { [Saga(asked: asked)] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Action.self) { state, _ in state.asked.reducers.note(0) }]
        }
    }

    private static func others(_ bits: Int, _ asked: Asked) -> [any Relux.Module] {
        func grow<Number>(_ bits: Int, _ number: Number.Type) -> [any Relux.Module] {
            guard bits > 0 else { return [Other<Number>(asked: asked)] }
            return grow(bits - 1, Zero<Number>.self) + grow(bits - 1, One<Number>.self)
        }
        return grow(bits, Void.self)
    }

    @Test("a thousand other modules change nothing about what an action runs")
    func otherModulesAreNotAsked() async throws {
        let asked = Asked()
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
        #expect(asked.reducers.entries.isEmpty)
        #expect(asked.policies.entries.isEmpty)
        let (count, touches) = await store.inside { core in
            (core.root.states.count, core.root.states.inOrder.map(\.version).reduce(0, +))
        }
        #expect(count == 1025)
        #expect(touches == 2)
    }

    // MARK: Readers of other states

    /// Counts how often an iterator queries the store.
    private struct CountingQuery<Query: StateQuery>: StateQuery {
        let query: Query
        let pulls: Trace<Int>
        let waiting: Countdown

        func pull(
            from core: isolated Core, in scope: ScopeNode, _ cursor: StateCursor<Query.Value>
        ) -> StatePull<Query.Value> {
            pulls.note(0)
            let pull = query.pull(from: core, in: scope, cursor)
            if case .wait = pull { waiting.count() }
            return pull
        }
    }

    @Test("a change wakes no reader of another state")
    func otherReadersAreNotWoken() async throws {
        let readers = 100
        let pulls = Trace<Int>()
        let waiting = Countdown(from: readers * 3)
        let store = try await Relux.Store {
            Scales.Module()
            Log.Module()
        }
        let whole = CountingQuery(
            query: WholeStateQuery<Scales.Left>(site: Relux.CallSite()), pulls: pulls, waiting: waiting)
        let selection = CountingQuery(
            query: StateSelectionQuery<Scales.Left, Int>(
                selection: StateSelection(\.loads), site: Relux.CallSite()), pulls: pulls,
            waiting: waiting)
        let overReader = CountingQuery(
            query: ReaderSelectionQuery { reader in Scales.Reading(reader) }, pulls: pulls, waiting: waiting)

        // Each reader pulls its first value, waits, and pulls the second one.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<readers {
                group.addTask { for await _ in Relux.StateValues(store.handle, whole).prefix(2) {} }
                group.addTask { for await _ in Relux.StateValues(store.handle, selection).prefix(2) {} }
                group.addTask { for await _ in Relux.StateValues(store.handle, overReader).prefix(2) {} }
            }
            await waiting.zero()
            let stillWaiting = await store.inside { core in
                for number in 0..<50 {
                    core.dispatch(Log.Action.add("\(number)"), of: .outside, at: Relux.CallSite())
                }
                return core.root.states.cell(of: Scales.Left.self)?.waiters.count
            }
            #expect(stillWaiting == readers * 3)
            await store.dispatch(Scales.Load())
        }

        #expect(pulls.entries.count == readers * 3 * 3)
    }

    @Test("a reader that waits for several states leaves nothing behind in states that don't change")
    func waitsDontAccumulate() async throws {
        let store = try await Relux.Store {
            Scales.Module()
            Log.Module()
        }
        let values = store.values { reader in
            // One state that changes, one that doesn't, and one that is missing.
            [reader[Scales.Left.self]?.loads, reader[Log.self]?.entries.count, reader[Ledger.State.self]?.writes.count]
        }

        for await counts in values {
            await store.dispatch(Scales.Load())
            if counts[0] == 500 { break }
            // Waits in the store once before the next change.
            let query = ReaderSelectionQuery { [$0[Scales.Left.self]?.loads, $0[Log.self]?.entries.count] }
            await store.inside { core in
                let cursor = StateCursor<[Int?]>()
                _ = query.pull(from: core, in: core.root, cursor)
                guard case .wait(let signal, _) = query.pull(from: core, in: core.root, cursor) else { return }
                core.dispatch(Scales.Load(), of: .outside, at: Relux.CallSite())
                #expect(signal.hasFired)
            }
        }

        let resting = await store.inside { core in
            (core.root.states.cell(of: Log.self)?.waiters.count ?? 0) + core.awaited.count
        }
        #expect(resting <= 32)
    }

    @Test("a cancelled reader leaves nothing behind in the store")
    func cancelledReadersAreForgotten() async throws {
        let waiting = Countdown(from: 20)
        let store = try await Relux.Store { Scales.Module() }
        let query = CountingQuery(
            query: ReaderSelectionQuery { reader in [reader[Scales.Left.self]?.loads, reader[Log.self]?.entries.count]
            },
            pulls: Trace(), waiting: waiting)

        let readers = (0..<20).map { _ in Task { for await _ in Relux.StateValues(store.handle, query) {} } }
        await waiting.zero()
        for reader in readers { reader.cancel() }
        for reader in readers { await reader.value }

        let left = await store.inside { core in
            core.root.states.inOrder.map(\.waiters.count).reduce(0, +) + core.awaited.count
        }
        #expect(left == 0)
    }

    // Each cancellation used to search all the others.
    @Test("twenty thousand cancelled readers of a state are forgotten, and the others still wake")
    func manyCancelledReaders() async throws {
        let count = 20_000
        let waiting = Countdown(from: count)
        let pulls = Trace<Int>()
        let store = try await Relux.Store { Scales.Module() }
        let query = CountingQuery(
            query: ReaderSelectionQuery { $0[Scales.Left.self]?.loads }, pulls: pulls, waiting: waiting
        )
        let readers = (0..<count).map { _ in
            Task {
                for await loads in Relux.StateValues(store.handle, query) where loads == 1 { return true }
                return false
            }
        }
        await waiting.zero()

        for reader in readers.dropLast(10) { reader.cancel() }
        for reader in readers.dropLast(10) { _ = await reader.value }
        let left = await store.inside { core in core.root.states.cell(of: Scales.Left.self)?.waiters.count ?? 0 }
        await store.dispatch(Scales.Load())

        // Ten wait, and no more entries are stale.
        #expect(left >= 10 && left <= 20)
        for reader in readers.suffix(10) { #expect(await reader.value) }
    }

    // MARK: Selections

    @Test("a selection over a reader follows what it reads now, not what it read earlier")
    func selectionsFollowWhatTheyRead() async throws {
        let runs = Trace<Int>()
        let store = try await Relux.Store {
            Scales.Module()
            Log.Module()
        }
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
