import Relux
import Testing

@Suite("Law 22: copies", .timeLimit(.minutes(10)))
struct Law22CopiesTests {
    /// A state with its own storage, which records each copy that a change requires.
    struct Heavy: Relux.State {
        private final class Storage: Sendable {
            // Locked only for the thread sanitizer, which doesn't see that a released reference orders two accesses.
            let number: Lock<Int>

            init(_ number: Int) {
                self.number = Lock(number)
            }
        }

        struct Bump: Relux.Action {}
        struct Ask: Relux.Effect {}

        private var storage = Storage(0)
        private let copies: Trace<Int>

        init(copies: Trace<Int>) {
            self.copies = copies
        }

        var number: Int { storage.number.withLock { $0 } }

        mutating func reduce(_ action: Bump) {
            if !isKnownUniquelyReferenced(&storage) {
                copies.note(number)
                storage = Storage(number)
            }
            storage.number.withLock { $0 += 1 }
        }

        static func == (lhs: Heavy, rhs: Heavy) -> Bool { lhs.number == rhs.number }
    }

    private let copies = Trace<Int>()

    /// Returns a store whose state no longer shares storage with the initial value, which the store keeps for a reset.
    private func store(
        _ configuration: Relux.StoreConfiguration = .init(), sagas: [any Relux.Saga] = []
    ) async throws -> Relux.Store {
        let store = try await Relux.Store(configuration) {
            Part<TagA>(states: [Heavy(copies: copies)], sagas: sagas)
        }
        await store.dispatch(Heavy.Bump())
        #expect(copies.entries == [0])
        return store
    }

    @Test(
        "actions copy no state, whichever verb is used, and observers, middleware, sagas, and streams cost no copy",
        arguments: [false, true])
    func actionsCopyNothing(areThereBystanders: Bool) async throws {
        let configuration = Relux.StoreConfiguration(
            middleware: [HookMiddleware { _, _ in .proceed }], observers: [HookObserver()])
        let store =
            areThereBystanders
            ? try await store(configuration, sagas: [ClosureSaga<Heavy.Bump> { _, _ in }]) : try await store()
        let stream = areThereBystanders ? store.actionStream(of: Heavy.Bump.self) : nil

        for _ in 0..<10 {
            await store.dispatch(Heavy.Bump()).finished()
            await store.dispatch(contentsOf: [Heavy.Bump(), Heavy.Bump()])
            await store.dispatch(contentsOf: [Heavy.Bump(), Heavy.Bump()].reversed())
            await store.dispatch {
                Heavy.Bump()
                Heavy.Bump()
            }
            await store.actions { Heavy.Bump() }
            store.send(Heavy.Bump())
            if let stream { _ = await stream.first { _ in true } }
        }

        #expect(try await store.state(of: Heavy.self).number == 92 - 1)
        #expect(copies.entries == [0])
    }

    @Test("a whole value that is handed out costs one copy, only at the next change")
    func wholeValuesCostOneCopy() async throws {
        let store = try await store()

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

    @Test("a waiting reader of whole values costs at most one copy per delivered value")
    func waitingReadersCostOneCopyAValue() async throws {
        let store = try await store()
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

    @Test("selections cost no copy, whatever they wait for, nor does a whole value that has been released")
    func selectionsCopyNothing() async throws {
        let store = try await store()
        // It holds no value between two of them.
        var whole = store.values(of: Heavy.self).makeAsyncIterator()
        var selection = store.values(of: Heavy.self, \.number).makeAsyncIterator()
        var overReader = store.values { reader in reader[Heavy.self]?.number }.makeAsyncIterator()
        var parity = store.values { reader in try reader.state(of: Heavy.self).number % 2 }.makeAsyncIterator()

        for round in 1...50 {
            #expect(await whole.next()?.number == round)
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
        let store = try await store()
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
}
