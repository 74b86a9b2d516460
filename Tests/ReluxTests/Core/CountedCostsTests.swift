import Relux
import Synchronization
import Testing

/// Costs as numbers of hashed and compared ids. Unlike times, these numbers don't depend on the machine.
@Suite("Costs, counted by what is asked of ids", .timeLimit(.minutes(10)))
struct CountedCostsTests {
    final class Count: Sendable {
        let hashes = Atomic(0)
        let comparisons = Atomic(0)

        /// How often ids were hashed or compared.
        var questions: Int { hashes.load(ordering: .relaxed) + comparisons.load(ordering: .relaxed) }
    }

    /// An id that counts what is asked of it.
    struct Key: Hashable, Sendable {
        let number: Int
        let count: Count

        static func == (lhs: Key, rhs: Key) -> Bool {
            lhs.count.comparisons.add(1, ordering: .relaxed)
            return lhs.number == rhs.number
        }

        func hash(into hasher: inout Hasher) {
            count.hashes.add(1, ordering: .relaxed)
            hasher.combine(number)
        }
    }

    struct Row: Relux.Module, Identifiable { let id: Key }

    struct List: Relux.State {
        var ids: [Key] = []

        enum Action: Relux.Action { case open(Key), close }

        mutating func reduce(_ action: Action) {
            switch action {
            case .open(let id): ids.append(id)
            case .close: ids.removeLast()
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

    @Test("cancelling by an id asks nothing about the ids of other runs")
    func cancelByID() async throws {
        let few = try await questions(besideRuns: 10) { store, key in
            await store.cancel(ClosureSaga<Job>.self, id: key(5))
        }
        let many = try await questions(besideRuns: 1_000) { store, key in
            await store.cancel(ClosureSaga<Job>.self, id: key(5))
        }

        #expect(few > 0)
        #expect(many <= few + 20)
    }

    @Test("cancelling a lane asks nothing about other lanes")
    func cancelLane() async throws {
        let few = try await questions(besideRuns: 10) { store, key in await store.cancel(Relux.Lane(key(5))) }
        let many = try await questions(besideRuns: 1_000) { store, key in await store.cancel(Relux.Lane(key(5))) }

        #expect(few > 0)
        #expect(many <= few + 20)
    }

    @Test("the end of an instance asks nothing about the runs of others")
    func unregister() async throws {
        let few = try await questions(besideRuns: 10) { store, key in await store.unregister(Row.self, id: key(-1)) }
        let many = try await questions(besideRuns: 1_000) { store, key in
            await store.unregister(Row.self, id: key(-1))
        }

        #expect(few > 0)
        #expect(many <= few + 20)
    }

    @Test("a run of another id starts and ends without questions about those that exist")
    func start() async throws {
        func another(_ store: Relux.Store, _ key: (Int) -> Key) async throws {
            let receipt = await store.dispatch(Job("another", .serial(id: key(-3))))
            receipt.cancel()
            // Ordered after the cancellation.
            _ = try await store.log()
        }
        let few = try await questions(besideRuns: 10) { try await another($0, $1) }
        let many = try await questions(besideRuns: 1_000) { try await another($0, $1) }

        #expect(few > 0)
        #expect(many <= few + 20)
    }

    /// How often ids are hashed when children are opened one by one, and closed again.
    private func hashes(opening children: Int) async throws -> Int {
        let count = Count()
        let store = try await Relux.Store { List.Module() }
        for number in 0..<children { await store.dispatch(List.Action.open(Key(number: number, count: count))) }
        for _ in 0..<children { await store.dispatch(List.Action.close) }
        return count.hashes.load(ordering: .relaxed)
    }

    @Test("each child that is opened or closed hashes a few ids, however many there are")
    func children() async throws {
        let (few, many) = try await (hashes(opening: 50), hashes(opening: 400))

        #expect(few > 0)
        // In proportion, with room for tables that grow. Looking up all ids each time would make it 64 times as many.
        #expect(many <= few * 16)
    }
}
