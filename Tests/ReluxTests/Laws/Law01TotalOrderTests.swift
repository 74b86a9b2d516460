import Relux
import Testing

@Suite("Law 1: total order", .timeLimit(.minutes(10)))
struct Law01TotalOrderTests: Staged {
    let scene = Scene()
    @Test("actions are numbered from 1 without gaps, whichever verb is used")
    func numbersHaveNoGaps() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }
        let verbs = WritingVerb.allCases

        for (number, verb) in verbs.enumerated() {
            try await verb.submit(Ledger.Write(number: number), to: store)
        }
        let receipt = await store.dispatch(Ledger.Write(number: verbs.count))

        #expect(observer.records.entries.map(\.sequence) == Array(1...UInt64(verbs.count + 1)))
        #expect(receipt.sequence == UInt64(verbs.count + 1))
    }

    @Test("a store without observers numbers actions in the same way", arguments: [false, true])
    func quickNumbers(isSend: Bool) async throws {
        let store = try await Relux.Store { Ledger.Module() }

        var sequences: [UInt64?] = []
        for number in 0..<20 {
            if isSend { store.send(Ledger.Write(number: number)) }
            sequences.append(await store.dispatch(Ledger.Write(number: number)).sequence)
        }

        let step: UInt64 = isSend ? 2 : 1
        #expect(sequences == (1...20).map { Optional($0 * step) })
    }

    @Test("the number of a batch is that of its last action", arguments: [false, true])
    func batchNumbers(isObserved: Bool) async throws {
        let observers = isObserved ? [TraceObserver()] : []
        let store = try await Relux.Store(.init(observers: observers)) { Ledger.Module() }
        let three = (0..<3).map { Ledger.Write(number: $0) }

        let array = await store.dispatch(contentsOf: three)
        let notContiguous = await store.dispatch(contentsOf: three.reversed())
        let builder = await store.dispatch {
            three
            Ledger.Deliver(write: Ledger.Write(number: 3))
        }

        #expect(array.sequence == 3)
        #expect(notContiguous.sequence == 6)
        #expect(builder.sequence == 10)
    }

    @Test("under contention, every number is assigned once, to the action that its receipt belongs to")
    func numbersUnderContention() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }
        let writers = 8
        let rounds = 150

        let receipts = await withTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    var receipts: [UInt64: Ledger.Write] = [:]
                    for number in 0..<rounds {
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
        let state = try await store.state(of: Ledger.State.self)

        let records = observer.records.entries
        #expect(records.map(\.sequence) == Array(1...UInt64(writers * rounds)))
        #expect(records.map { $0.action as? Ledger.Write } == state.writes)
        #expect(receipts.count == writers * rounds * 2 / 3)
        #expect(receipts.allSatisfy { records[Int($0.key) - 1].action as? Ledger.Write == $0.value })
    }

    /// Records the same writes as the ledger.
    private struct Copy: Relux.State {
        typealias Action = Never

        var writes: [Ledger.Write] = []
    }

    @Test("every state, observer, saga, and stream sees the same order")
    func sameOrder() async throws {
        let observers = [TraceObserver(), TraceObserver()]
        let heard = Trace<Ledger.Write>()
        let store = try await Relux.Store(.init(observers: observers)) {
            Ledger.Module()
            Part<TagA>(
                states: [Copy()],
                reducers: [.init(of: Copy.self, on: Ledger.Write.self) { copy, write in copy.writes.append(write) }],
                // One at a time.
                sagas: [ClosureSaga<Ledger.Write>(policy: { _ in .serial }) { write, _ in heard.note(write) }])
        }
        let streams = [store.actionStream(of: Ledger.Write.self), store.actionStream(of: Ledger.Write.self)]
        let writers = 8
        let rounds = 50

        async let streamedMeanwhile = streams[0].prefix(writers * rounds).elements()
        await withTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<rounds {
                        let write = Ledger.Write(writer: writer, number: number)
                        if number.isMultiple(of: 2) { store.send(write) } else { await store.dispatch(write) }
                    }
                }
            }
        }
        try await store.idle()

        let order = try await store.state(of: Ledger.State.self).writes
        #expect(order.count == writers * rounds)
        #expect(try await store.state(of: Copy.self).writes == order)
        #expect(heard.entries == order)
        for observer in observers {
            #expect(observer.records.entries.compactMap { $0.action as? Ledger.Write } == order)
        }
        #expect(await streamedMeanwhile == order)
        #expect(await streams[1].prefix(order.count).elements() == order)
    }
}
