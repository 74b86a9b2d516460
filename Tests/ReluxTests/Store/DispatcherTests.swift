import Relux
import Testing

@Suite("Dispatcher", .timeLimit(.minutes(10)))
struct DispatcherTests {
    @Test("dispatchers of one store are equal, and those of different stores are not")
    func equality() {
        let first = Relux.Store()
        let second = Relux.Store()

        #expect(first.dispatcher == first.dispatcher)
        #expect(first.dispatcher != second.dispatcher)
        #expect(first.dispatcher != .none)
        #expect(Relux.Dispatcher.none == .none)
        #expect(Set([first.dispatcher, first.dispatcher, second.dispatcher, .none]).count == 3)
    }

    @Test("without a store, or when its store is gone, it refuses everything", arguments: [true, false])
    func outlivesItsStore(isNone: Bool) async throws {
        let observer = TraceObserver()
        var store: Relux.Store? = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }
        weak let weakStore = store
        let dispatcher = isNone ? .none : try #require(store?.dispatcher)
        store = nil

        let one = await dispatcher.dispatch(Ledger.Write(number: 0))
        let array = await dispatcher.dispatch(contentsOf: [Ledger.Write(number: 1)])
        let builder = await dispatcher.dispatch { Ledger.Write(number: 2) }
        let result = await dispatcher.actions { Ledger.Write(number: 3) }
        let performed = await Ending.of {
            try await dispatcher.perform(Ledger.Deliver(write: Ledger.Write(number: 4)))
        }
        dispatcher.send(Ledger.Write(number: 5))
        await dispatcher.dispatch(Ledger.Write(number: 6)).finished()

        #expect(weakStore == nil)
        #expect([one.sequence, array.sequence, builder.sequence] == [nil, nil, nil])
        #expect(result.endings == [.storeShutDown])
        #expect(performed == .storeShutDown)
        #expect(observer.records.entries.isEmpty)
    }
}
