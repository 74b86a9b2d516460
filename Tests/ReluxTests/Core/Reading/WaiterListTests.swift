import Testing

@testable import Relux

@Suite("WaiterList")
struct WaiterListTests {
    @Test("it fires all signals once")
    func firesAll() {
        var list = WaiterList<Void>()
        let signals = (0..<20).map { _ in Signal() }
        for signal in signals { list.append(signal, for: ()) }

        list.fire()

        #expect(signals.allSatisfy { $0.hasFired })
        #expect(list.isEmpty)
    }

    @Test("it fires the signals of one topic and keeps the others")
    func firesATopic() {
        var list = WaiterList<Int>()
        let signals = (0..<20).map { _ in Signal() }
        for (number, signal) in signals.enumerated() { list.append(signal, for: number % 2) }

        list.fire { topic in topic == 1 }

        #expect(signals.map(\.hasFired) == (0..<20).map { $0 % 2 == 1 })
        #expect(list.count == 10)
    }

    @Test("signals that fired elsewhere don't accumulate, and the others stay")
    func sweepsItself() {
        var list = WaiterList<Void>()
        let quiet = (0..<10).map { _ in Signal() }
        for signal in quiet { list.append(signal, for: ()) }

        for _ in 0..<10_000 {
            let signal = Signal()
            list.append(signal, for: ())
            signal.fire()
        }

        #expect(list.count <= 40)
        list.fire()
        #expect(quiet.allSatisfy { $0.hasFired })
    }

    @Test("when any signal is removed, the next one moves up")
    func movesUp() {
        var list = WaiterList<Int>()
        let signals = (0..<5).map { _ in Signal() }
        for (number, signal) in signals.enumerated() { list.append(signal, for: number) }
        func numbers() -> [Int?] { list.signals.map { signal in signals.firstIndex { $0 === signal } } }

        list.fire { topic in topic == 0 || topic == 2 }
        let afterFiring = numbers()
        let isNextFirst = list.isOldest { topic in topic == 1 }
        signals[1].fire()
        list.noteCancellation()
        signals[4].fire()
        list.noteCancellation()
        let afterCancellations = numbers()
        list.fire { topic in topic == 3 }

        #expect(afterFiring == [1, 3, 4])
        #expect(isNextFirst)
        #expect(afterCancellations == [3])
        #expect(list.isEmpty && list.count == 0 && !list.isCrowded)
        #expect(!list.isOldest { _ in true })
    }

    @Test("a change wakes the readers whose check accepts it, even if the oldest reader's check doesn't")
    func wakesBehindTheOldest() {
        let cell = StateCell(Log(), of: Log.Module.self, serial: 1)
        let never = StateChangeCheck(Signal()) { _, _ in false }
        let always = StateChangeCheck(Signal()) { _, _ in true }
        let checks = [never, nil, never, always, nil]
        let signals = checks.map { Signal(keeping: $0) }
        for (signal, check) in zip(signals, checks) {
            cell.waiters.append(signal, for: check.map { .passUnretained($0) })
        }

        cell.wakeReaders()

        #expect(signals.map(\.hasFired) == [false, true, false, true, true])
        #expect(cell.waiters.count == 2)
    }

    @Test("cancelling many waiters has a constant amortised cost")
    func cancellationsAreAmortised() {
        var list = WaiterList<Void>()
        let signals = (0..<20_000).map { _ in Signal() }
        for signal in signals { list.append(signal, for: ()) }

        var longest = 0
        var examined = 0
        for (number, signal) in signals.enumerated() {
            let before = list.count
            signal.fire()
            list.noteCancellation()
            longest = max(longest, list.count - (signals.count - number - 1))
            if list.count != before { examined += before }
        }

        #expect(list.isEmpty)
        // Each waiter used to be searched for, which examined half of the list.
        #expect(examined <= signals.count * 3)
        // The list is swept when half of its entries are stale, so it never holds more stale entries than others.
        #expect(longest <= signals.count / 2)
    }
}
