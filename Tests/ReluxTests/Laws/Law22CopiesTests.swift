import Relux
import Testing

@Suite("Law 22: copies", .timeLimit(.minutes(10)))
struct Law22CopiesTests {
    /// A state with its own storage, which records each copy that a change requires.
    struct Heavy: Relux.State {
        // @unchecked Sendable: changed only while it is uniquely referenced.
        private final class Storage: @unchecked Sendable {
            var number: Int

            init(_ number: Int) {
                self.number = number
            }
        }

        struct Bump: Relux.Action {}
        struct Ask: Relux.Effect {}

        private var storage = Storage(0)
        private let copies: Trace<Int>

        init(copies: Trace<Int>) {
            self.copies = copies
        }

        var number: Int { storage.number }

        mutating func reduce(_ action: Bump) {
            if !isKnownUniquelyReferenced(&storage) {
                copies.note(storage.number)
                storage = Storage(storage.number)
            }
            storage.number += 1
        }

        static func == (lhs: Heavy, rhs: Heavy) -> Bool { lhs.number == rhs.number }
    }

    private struct Bumping: Relux.Saga {
        func run(_ trigger: Heavy.Bump, in context: Relux.SagaContext) async {}
    }

    private struct Module: Relux.Module {
        let copies: Trace<Int>
        var hasSaga = false

        var states: [any Relux.State] { [Heavy(copies: copies)] }
        var sagas: [any Relux.Saga] { hasSaga ? [Bumping()] : [] }
    }

    /// Returns a store whose state no longer shares storage with the initial value, which the store keeps for a reset.
    private func store(
        _ copies: Trace<Int>, _ configuration: Relux.StoreConfiguration = .init(), hasSaga: Bool = false
    ) async throws -> Relux.Store {
        let store = try await Relux.Store(configuration) { Module(copies: copies, hasSaga: hasSaga) }
        await store.dispatch(Heavy.Bump())
        #expect(copies.entries == [0])
        return store
    }

    @Test("actions copy no state, whichever verb is used")
    func actionsCopyNothing() async throws {
        let copies = Trace<Int>()
        let store = try await store(copies)

        for _ in 0..<10 {
            await store.dispatch(Heavy.Bump())
            await store.dispatch(contentsOf: [Heavy.Bump(), Heavy.Bump()])
            await store.dispatch(contentsOf: [Heavy.Bump(), Heavy.Bump()].reversed())
            await store.dispatch {
                Heavy.Bump()
                Heavy.Bump()
            }
            await store.actions { Heavy.Bump() }
            store.send(Heavy.Bump())
        }

        #expect(try await store.state(of: Heavy.self).number == 92 - 1)
        #expect(copies.entries == [0])
    }

    @Test("observers, middleware, sagas, and streams cost no copy")
    func bystandersCopyNothing() async throws {
        let copies = Trace<Int>()
        let configuration = Relux.StoreConfiguration(
            middleware: [HookMiddleware { _, _ in .proceed }], observers: [HookObserver()]
        )
        let store = try await store(copies, configuration, hasSaga: true)
        let stream = store.actionStream(of: Heavy.Bump.self)

        for _ in 0..<10 {
            await store.dispatch(Heavy.Bump()).finished()
            _ = await stream.first { _ in true }
        }

        #expect(copies.entries == [0])
    }

    @Test("a whole value that is handed out costs one copy, only at the next change")
    func wholeValuesCostOneCopy() async throws {
        let copies = Trace<Int>()
        let store = try await store(copies)

        let state = try await store.state(of: Heavy.self)
        for _ in 0..<5 { await store.dispatch(Heavy.Bump()) }
        let read = await store.read { $0[Heavy.self] }
        for _ in 0..<5 { await store.dispatch(Heavy.Bump()) }
        var values = store.values(of: Heavy.self).makeAsyncIterator()
        let value = await values.next()
        for _ in 0..<5 { await store.dispatch(Heavy.Bump()) }

        #expect([state.number, read?.number, value?.number] == [1, 6, 11])
        #expect(copies.entries == [0, 1, 6, 11])
    }

    @Test("a whole value that has been released costs no copy, and an iterator holds none")
    func releasedValuesCostNothing() async throws {
        let copies = Trace<Int>()
        let store = try await store(copies)
        var values = store.values(of: Heavy.self).makeAsyncIterator()

        for round in 1...20 {
            #expect(await values.next()?.number == round)
            await store.dispatch(Heavy.Bump())
        }

        #expect(copies.entries == [0])
    }

    @Test("a waiting reader of whole values costs at most one copy per delivered value")
    func waitingReadersCostOneCopyAValue() async throws {
        let copies = Trace<Int>()
        let store = try await store(copies)
        let total = 200

        async let reading: Int = {
            var count = 0
            for await heavy in store.values(of: Heavy.self) {
                count += 1
                if heavy.number > total { break }
            }
            return count
        }()
        for _ in 0..<total { await store.dispatch(Heavy.Bump()) }

        #expect(copies.entries.count <= (await reading) + 1)
    }

    @Test("selections cost no copy, whatever they wait for")
    func selectionsCopyNothing() async throws {
        let copies = Trace<Int>()
        let store = try await store(copies)
        var selection = store.values(of: Heavy.self, \.number).makeAsyncIterator()
        var overReader = store.values { reader in reader[Heavy.self]?.number }.makeAsyncIterator()
        var parity = store.values { reader in try reader.state(of: Heavy.self).number % 2 }.makeAsyncIterator()

        for round in 1...50 {
            #expect(await selection.next() == round)
            #expect(await overReader.next() == round)
            #expect(await parity.next() == round % 2)
            #expect(await store.read { $0[Heavy.self]?.number } == round)
            await store.dispatch(Heavy.Bump())
        }

        #expect(copies.entries == [0])
    }

    @Test("waiting selections cost no copy during many changes that leave their values equal")
    func waitingSelectionsCopyNothing() async throws {
        let copies = Trace<Int>()
        let store = try await store(copies)
        let total = 200
        let selections = [
            store.values(of: Heavy.self) { $0.number > total },
            store.values { reader in reader[Heavy.self].map { $0.number > total } ?? false },
        ]

        await withTaskGroup(of: Void.self) { group in
            for selection in selections { group.addTask { _ = await selection.first { $0 } } }
            group.addTask { for _ in 0..<total { await store.dispatch(Heavy.Bump()) } }
        }

        #expect(copies.entries == [0])
    }

    @Test("an iterator that is not waiting holds no whole state")
    func iteratorsHoldNoState() async throws {
        final class Load: Sendable {}
        struct Carrier: Relux.State {
            var load: Load?

            struct Take: Relux.Action { let load: Load? }

            mutating func reduce(_ action: Take) { load = action.load }
            static func == (lhs: Self, rhs: Self) -> Bool { lhs.load === rhs.load }
        }
        struct Carrying: Relux.Module {
            var states: [any Relux.State] { [Carrier()] }
        }
        let store = try await Relux.Store { Carrying() }
        var values = store.values(of: Carrier.self).makeAsyncIterator()
        weak var load: Load?
        do {
            let carried = Load()
            load = carried
            await store.dispatch(Carrier.Take(load: carried))
        }

        let isTaken = await values.next()?.load != nil
        let isHeldByStore = load != nil
        await store.dispatch(Carrier.Take(load: nil))

        #expect(isTaken)
        #expect(isHeldByStore)
        #expect(load == nil)
        #expect(await values.next()?.load == nil)
    }
}
