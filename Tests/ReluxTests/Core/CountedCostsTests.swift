import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Costs as numbers of hashed and compared ids. Unlike times, these numbers don't depend on the machine.
@Suite("Costs, counted by what is asked of ids", .timeLimit(.minutes(10)))
struct CountedCostsTests {
    typealias Key = CountingID
    typealias Count = CountingID.Count

    struct Row: Relux.Module, Identifiable {
        let id: Key
        var states: [any Relux.State] = []
        var persistence: [any Relux.StatePersistence] = []
    }

    @Test("to save a state of an instance asks nothing about the other instances")
    func savedInInstance() async throws {
        let count = Count()
        let store = Relux.Store()
        let rows = (0..<100).map {
            Row(id: Key(number: $0, count: count), states: [Log()], persistence: [Unkept<Log>()])
        }
        try await store.register(contentsOf: rows)
        let row = store.scope(of: Row.self, id: rows[50].id)
        try await row.saved(Log.self)
        let before = count.questions

        try await row.saved(Log.self)

        #expect(count.questions - before < 10)
    }

    struct List: Relux.State {
        var ids: [Key] = []

        enum Action: Relux.Action { case open(Key), close, closeFirst, turn(Range<Int>) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .open(let id): ids.append(id)
            case .close: ids.removeLast()
            case .closeFirst: ids.removeFirst()
            case .turn(let part): ids[part].reverse()
            }
        }

        struct Module: Relux.Module {
            var states: [any Relux.State] { [List()] }
            var children: [Relux.Children] { [.each(of: List.self, \.ids) { id, _ in Row(id: id) }] }
        }
    }

    /// Starts runs, each with an id and a lane of its own, and returns how many questions something asks beside them.
    private func questions(
        besideRuns runs: Int, _ body: (Relux.Store, _ key: (Int) -> Key) async throws -> Void
    ) async throws -> Int {
        let (count, gate) = (Count(), Gate())
        @Sendable func key(_ number: Int) -> Key { Key(number: number, count: count) }
        let store = try await Relux.Store {
            ClosureSaga<Job>(policy: \.policy) { _, _ in await gate.pass() }.alone
            Row(id: key(-1))
        }
        for number in 0..<runs {
            await store.dispatch(Job("\(number)", .serial(id: key(number)).in(Relux.Lane(key(number)))))
        }
        let lease = try await store.attach(Row(id: key(-2)))
        let before = count.questions

        try await body(store, key)

        let asked = count.questions - before
        gate.open()
        await lease.end()
        try await store.idle()
        return asked
    }

    /// What concerns one run or one instance.
    enum Concern: CaseIterable {
        case cancellationByID, cancellationOfLane, endOfInstance, runOfAnotherID
    }

    @Test("what concerns one id, lane, or instance asks nothing about the others", arguments: Concern.allCases)
    func others(_ concern: Concern) async throws {
        func questions(besideRuns runs: Int) async throws -> Int {
            try await self.questions(besideRuns: runs) { store, key in
                switch concern {
                case .cancellationByID: await store.cancel(ClosureSaga<Job>.self, id: key(5))
                case .cancellationOfLane: await store.cancel(Relux.Lane(key(5)))
                case .endOfInstance: await store.unregister(Row.self, id: key(-1))
                case .runOfAnotherID:
                    await store.dispatch(Job("another", .serial(id: key(-3)))).cancel()
                    // Ordered after the cancellation.
                    _ = try await store.log()
                }
            }
        }

        let (few, many) = (try await questions(besideRuns: 10), try await questions(besideRuns: 1_000))

        #expect(few > 0)
        #expect(many <= few + 20)
    }

    /// How often ids are hashed when children are opened one by one, and closed again.
    private func hashes(opening children: Int) async throws -> Int {
        let count = Count()
        let (store, key) = try await list(of: 0, count)
        for number in 0..<children { await store.dispatch(List.Action.open(key(number))) }
        for _ in 0..<children { await store.dispatch(List.Action.close) }
        return count.hashes.count
    }

    @Test("each child that is opened or closed hashes a few ids, however many there are")
    func children() async throws {
        let (few, many) = try await (hashes(opening: 50), hashes(opening: 400))

        #expect(few > 0)
        // In proportion, with room for tables that grow. Looking up all ids each time would make it 64 times as many.
        #expect(many <= few * 16)
    }

    // MARK: Long lists

    private func list(of number: Int, _ count: Count) async throws -> (Relux.Store, (Int) -> Key) {
        let store = try await Relux.Store { List.Module() }
        @Sendable func key(_ number: Int) -> Key { Key(number: number, count: count) }
        await store.dispatch(contentsOf: (0..<number).map { List.Action.open(key($0)) })
        return (store, key)
    }

    @Test("one child more or less compares each of the others a few times, and hashes none", arguments: [100, 2_000])
    func longList(number: Int) async throws {
        let count = Count()
        let (store, key) = try await list(of: number, count)
        let (hashes, questions) = (count.hashes.count, count.questions)

        await store.dispatch(List.Action.open(key(number)))
        await store.dispatch(List.Action.closeFirst)
        await store.dispatch(List.Action.close)

        #expect(count.hashes.count - hashes < 100)
        // Twice for each of the three changes: in the list, and in what it has changed.
        #expect(count.questions - questions < 6 * number + 200)
    }

    @Test("children that change their order are asked a number of times that grows with their number")
    func reversed() async throws {
        func questions(turning number: Int) async throws -> Int {
            let count = Count()
            let (store, _) = try await list(of: 2 * number, count)
            let before = count.questions
            await store.dispatch(List.Action.turn(0..<number))
            return count.questions - before
        }

        let (few, many) = (try await questions(turning: 100), try await questions(turning: 800))

        #expect(few > 0)
        // In proportion, with room for tables that grow. Asking each about each would make it 64 times as many.
        #expect(many <= few * 12)
    }

    @Test("a view state of many instances selects a few times when all of them close") @MainActor
    func closedInstances() throws {
        let (made, store) = (Trace<Int>(), try Relux.Store(modules: [Inbox.Module()]))
        store.dispatchNow(Inbox.State.Action.set((0..<50).map { "\($0)" }))
        let state = try store.viewState { reader in
            made.note(0)
            return reader.states(of: Chat.State.self, in: Chat.Module.self).count
        }
        let before = made.entries.count

        store.dispatchNow(Inbox.State.Action.set([]))

        #expect(state.value == 0)
        #expect(made.entries.count - before <= 2)
    }

    // MARK: Batches

    @Test("debounced triggers of one batch are asked a number of times that grows with their number")
    func debounced() async throws {
        func questions(_ triggers: Int) async throws -> Int {
            let (count, world) = (Count(), SeededExecutor(seed: 1))
            let clock = ManualClock { await world.rest() }
            let store = Relux.Store(.init(clock: clock, executor: world))
            try await store.register(ClosureSaga<Job>(policy: \.policy) { _, _ in }.alone)
            let batch = (0..<triggers).map { number in
                Job("\(number)", .debounce(.seconds(1), id: Key(number: number, count: count)))
            }
            await world.settle { await store.dispatch(contentsOf: batch) }
            await clock.advance(by: .seconds(1))
            await world.rest()
            try await store.idle()
            return count.questions
        }

        let (few, many) = (try await questions(100), try await questions(1_000))

        #expect(many < few * 15)
    }

    @Test("a batch makes each waiting selection once, however many actions it has")
    func selections() async throws {
        let (made, count, world) = (Trace<Bool>(), Count(), SeededExecutor(seed: 1))
        let store = Relux.Store(.init(executor: world))
        try await store.register(List.Module())
        let values = store.values(of: List.self) { list in
            made.note(list.ids.isEmpty)
            return list.ids.isEmpty
        }
        let reader = await world.settle { for await _ in values {} }
        await world.settle { await store.dispatch(List.Action.open(Key(number: -1, count: count))) }
        let before = made.entries.count

        await store.dispatch(contentsOf: (0..<1_000).map { List.Action.open(Key(number: $0, count: count)) })

        #expect(made.entries.count == before + 1)
        reader.cancel()
    }
}
