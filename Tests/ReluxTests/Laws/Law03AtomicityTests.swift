import Relux
import Testing

@Suite("Law 3: atomicity", .timeLimit(.minutes(10)))
struct Law03AtomicityTests: Staged {
    let scene = Scene()
    private static let rounds = 200
    private static let size = 5

    /// Every way to dispatch a batch.
    enum BatchVerb: CaseIterable, Sendable {
        case array, slice, notContiguous, builder
        case arrayByDispatcher, notContiguousByDispatcher, builderByDispatcher

        func submit(_ batch: [Ledger.Write], to store: Relux.Store) async {
            let dispatcher = store.dispatcher
            switch self {
            case .array: await store.dispatch(contentsOf: batch)
            case .slice: await store.dispatch(contentsOf: batch[...])
            case .notContiguous: await store.dispatch(contentsOf: Array(batch.reversed()).reversed())
            case .builder: await store.dispatch { for write in batch { write } }
            case .arrayByDispatcher: await dispatcher.dispatch(contentsOf: batch)
            case .notContiguousByDispatcher: await dispatcher.dispatch(contentsOf: Array(batch.reversed()).reversed())
            case .builderByDispatcher: await dispatcher.dispatch { for write in batch { write } }
            }
        }
    }

    private static func batch(of writer: Int, _ round: Int) -> [Ledger.Write] {
        (0..<size).map { Ledger.Write(writer: writer, number: round * size + $0) }
    }

    // MARK: A batch

    @Test(
        "observers get the records of a batch after its last reducer, one per action, and its sagas see the end of it",
        arguments: BatchVerb.allCases)
    func recordsFollowTheBatch(verb: BatchVerb) async throws {
        let (seen, seenBySagas) = (Trace<Int>(), Trace<Int>())
        let reduced = Trace<Int>()
        let hook = HookObserver(onAction: { _ in seen.note(reduced.entries.last ?? 0) })
        // Its reducer runs after that of the ledger.
        let counting = Part<TagA>(
            reducers: [
                .init(of: Ledger.State.self, on: Ledger.Write.self) { ledger, _ in reduced.note(ledger.writes.count) }
            ],
            sagas: [
                ClosureSaga<Ledger.Write> { _, context in
                    seenBySagas.note(try await context.state(of: Ledger.State.self).writes.count)
                }
            ],
            dependencies: [Ledger.Module()]
        )
        let store = try await Relux.Store(.init(observers: [observer, hook])) { counting }
        let batch = Self.batch(of: 0, 0)

        await verb.submit(batch, to: store)
        try await store.idle()

        let records = observer.records.entries
        #expect(records.map(\.sequence) == Array(1...UInt64(Self.size)))
        #expect(records.compactMap { $0.action as? Ledger.Write } == batch)
        #expect(seen.entries == Array(repeating: Self.size, count: Self.size))
        #expect(seenBySagas.entries == seen.entries)
    }

    @Test(
        "no read, no sequence of values, and no consumer of a stream sees the middle of a batch",
        arguments: BatchVerb.allCases)
    func nothingSeesHalfABatch(verb: BatchVerb) async throws {
        let store = try await Relux.Store { Ledger.Module() }
        let total = Self.rounds * 2 * Self.size
        let counts = Trace<Int>()
        let stream = store.actionStream(of: Ledger.Write.self)
        @Sendable func note<Value: Sendable>(
            _ values: Relux.StateValues<Value>, _ count: @Sendable (Value) -> Int
        ) async {
            for await value in values {
                counts.note(count(value))
                if count(value) == total { break }
            }
        }

        try await withThrowingTaskGroup { group in
            for writer in 0..<2 {
                group.addTask {
                    for round in 0..<Self.rounds { await verb.submit(Self.batch(of: writer, round), to: store) }
                }
            }
            group.addTask {
                for _ in 0..<Self.rounds {
                    counts.note(try await store.state(of: Ledger.State.self).writes.count)
                    counts.note(await store.read { $0[Ledger.State.self]?.writes.count ?? -1 })
                }
            }
            group.addTask { await note(store.values(of: Ledger.State.self), \.writes.count) }
            group.addTask { await note(store.values(of: Ledger.State.self, \.writes.count), \.self) }
            group.addTask { await note(store.values { $0[Ledger.State.self]?.writes.count ?? -1 }, \.self) }
            group.addTask {
                var taken = 0
                for await _ in stream.prefix(total) {
                    taken += 1
                    let count = try await store.state(of: Ledger.State.self).writes.count
                    counts.note(count)
                    #expect(count >= taken)
                }
                #expect(taken == total)
            }
            try await group.waitForAll()
        }

        #expect(counts.entries.allSatisfy { $0 >= 0 && $0.isMultiple(of: Self.size) })
        #expect(try await store.state(of: Ledger.State.self).writes.count == total)
    }

    @Test("nothing is reduced between the actions of a batch", arguments: BatchVerb.allCases)
    func batchesStayTogether(verb: BatchVerb) async throws {
        let store = try await Relux.Store { Ledger.Module() }
        let writers = 4
        let rounds = 50

        await withTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    for round in 0..<rounds { await verb.submit(Self.batch(of: writer, round), to: store) }
                }
            }
            group.addTask {
                for round in 0..<rounds * Self.size { store.send(Ledger.Write(writer: writers, number: round)) }
            }
        }

        let writes = try await store.state(of: Ledger.State.self).writes
        #expect(writes.count == (writers + 1) * rounds * Self.size)
        for (index, write) in writes.enumerated() where write.writer < writers && write.number % Self.size == 0 {
            let together = writes[index...].prefix(Self.size)
            #expect(Array(together) == Self.batch(of: write.writer, write.number / Self.size))
        }
    }

    @Test("each run of a batch starts after the record of its action")
    func runsStartAfterTheirRecords() async throws {
        let store = try await makeStore(observers: [observer]) { _, _ in }

        let receipt = await store.dispatch {
            Work(name: "a")
            Log.Action.add("b")
            Work(name: "c")
        }
        await receipt.finished()

        let started = observer.trace.entries.filter { !$0.hasPrefix("end") && !$0.hasPrefix("registered") }
        #expect(started == ["1 Work(name: \"a\")", "start 1", "2 add(\"b\")", "3 Work(name: \"c\")", "start 2"])
    }

    // MARK: Rules

    @Test("nothing sees the states between the reducers of an action, or before what rules add to it")
    func rulesBelongToTheStep() async throws {
        let seen = Trace<Bool>()
        let observer = StateHookObserver { _, states in seen.note(Self.isComplete(states)) }
        let counting = Relux.Rule(on: Scales.Load.self) { load, _ in [Log.Action.add("\(load.weight)")] }
        let store = try await Relux.Store(.init(observers: [observer])) {
            Part<TagA>(rules: [counting], dependencies: [Scales.Module(), Log.Module()])
        }

        await withTaskGroup { group in
            group.addTask { for _ in 0..<Self.rounds { await store.dispatch(Scales.Load()) } }
            group.addTask { for _ in 0..<Self.rounds { seen.note(await store.read { Self.isComplete($0) }) } }
        }

        #expect(seen.entries.count == 3 * Self.rounds)
        #expect(seen.entries.allSatisfy { $0 })
    }

    private static func isComplete(_ states: borrowing Relux.StateReader) -> Bool {
        Scales.Reading(states).isBalanced && states[Log.self]?.entries.count == states[Scales.Left.self]?.loads
    }
}
