import Relux
import Testing

@Suite("Law 1: total order", .timeLimit(.minutes(10)))
struct Law01TotalOrderTests: Staged {
    let scene = Scene()

    private static let writers = 8
    private static let rounds = 150

    /// Writes from many tasks at once, and returns the receipts of what they dispatched.
    private func contend(for store: Relux.Store) async -> [UInt64: Ledger.Write] {
        await withTaskGroup { group in
            for writer in 0..<Self.writers {
                group.addTask {
                    var receipts: [UInt64: Ledger.Write] = [:]
                    for number in 0..<Self.rounds {
                        let write = Ledger.Write(writer: writer, number: number)
                        switch (writer + number) % 3 {
                        case 0: store.send(write)
                        case 1: receipts[await store.dispatch(write).sequence ?? 0] = write
                        default: receipts[await store.dispatch(contentsOf: [write]).sequence ?? 0] = write
                        }
                    }
                    return receipts
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
    }

    @Test(
        "actions are numbered from 1 without gaps, whichever verb is used, with observers and without",
        arguments: [false, true])
    func numbersHaveNoGaps(isObserved: Bool) async throws {
        let store = try await Relux.Store(.init(observers: isObserved ? [observer] : [])) { Ledger.Module() }
        var receipts: [UInt64?] = []

        for (number, verb) in WritingVerb.allCases.enumerated() {
            try await verb.submit(Ledger.Write(number: number), to: store)
            receipts.append(await store.dispatch(Ledger.Write(number: number)).sequence)
        }

        let expected = Array(1...UInt64(receipts.count * 2))
        #expect(receipts == expected.filter { $0.isMultiple(of: 2) })
        #expect(observer.records.entries.map(\.sequence) == (isObserved ? expected : []))
    }

    @Test("the number of a batch is that of its last action, and an empty one has none", arguments: [false, true])
    func batchNumbers(isObserved: Bool) async throws {
        let store = try await Relux.Store(.init(observers: isObserved ? [observer] : [])) { Ledger.Module() }
        let three = (0..<3).map { Ledger.Write(number: $0) }

        let empty = [
            await store.dispatch(contentsOf: [Ledger.Write]()),
            await store.dispatch(contentsOf: [Ledger.Write]().reversed()),
            await store.dispatch {},
        ]
        await empty[0].finished()
        let array = await store.dispatch(contentsOf: three)
        let notContiguous = await store.dispatch(contentsOf: three.reversed())
        let builder = await store.dispatch {
            three
            Ledger.Deliver(write: Ledger.Write(number: 3))
        }

        #expect(empty.map(\.sequence) == [nil, nil, nil])
        #expect(array.sequence == 3)
        #expect(notContiguous.sequence == 6)
        #expect(builder.sequence == 10)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("under contention, every number is assigned once, to the action that its receipt belongs to")
    func numbersUnderContention() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }

        let receipts = await contend(for: store)
        let state = try await store.state(of: Ledger.State.self)

        let records = observer.records.entries
        #expect(records.map(\.sequence) == Array(1...UInt64(Self.writers * Self.rounds)))
        #expect(records.map { $0.action as? Ledger.Write } == state.writes)
        #expect(receipts.count == Self.writers * Self.rounds * 2 / 3)
        #expect(receipts.allSatisfy { records[Int($0.key) - 1].action as? Ledger.Write == $0.value })
    }

    @Test("every state, observer, saga, and stream sees the same order")
    func sameOrder() async throws {
        let observers = [TraceObserver(), TraceObserver()]
        let heard = Trace<Ledger.Write>()
        let store = try await Relux.Store(.init(observers: observers)) {
            Ledger.Copy.Module()
            // One at a time.
            ClosureSaga<Ledger.Write>(policy: { _ in .serial }) { write, _ in heard.note(write) }.alone
        }
        let streams = [store.actionStream(of: Ledger.Write.self), store.actionStream(of: Ledger.Write.self)]
        let count = Self.writers * Self.rounds

        async let streamedMeanwhile = streams[0].prefix(count).elements()
        _ = await contend(for: store)
        try await store.idle()

        let order = try await store.state(of: Ledger.State.self).writes
        #expect(order.count == count)
        #expect(try await store.state(of: Ledger.Copy.self).writes == order)
        #expect(heard.entries == order)
        for observer in observers {
            #expect(observer.records.entries.compactMap { $0.action as? Ledger.Write } == order)
        }
        #expect(await streamedMeanwhile == order)
        #expect(await streams[1].prefix(count).elements() == order)
    }
}
