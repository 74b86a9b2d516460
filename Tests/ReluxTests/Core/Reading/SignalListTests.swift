import Testing

@testable import Relux

@Suite("SignalList")
struct SignalListTests {
    @Test("it fires all, once")
    func firesAll() {
        var list = SignalList<Void>()
        let signals = (0..<20).map { _ in Signal() }
        for signal in signals { list.append(signal, for: ()) }

        list.fire()

        #expect(signals.allSatisfy { $0.hasFired })
        #expect(list.isEmpty)
    }

    @Test("it fires those of one topic and keeps the others")
    func firesATopic() {
        var list = SignalList<Int>()
        let signals = (0..<20).map { _ in Signal() }
        for (number, signal) in signals.enumerated() { list.append(signal, for: number % 2) }

        list.fire { topic in topic == 1 }

        #expect(signals.map(\.hasFired) == (0..<20).map { $0 % 2 == 1 })
        #expect(list.count == 10)
    }

    @Test("signals that fired elsewhere don't pile up, and the others stay")
    func sweepsItself() {
        var list = SignalList<Void>()
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

    @Test("whoever leaves, the next one moves up")
    func movesUp() {
        var list = SignalList<Int>()
        let signals = (0..<5).map { _ in Signal() }
        for (number, signal) in signals.enumerated() { list.append(signal, for: number) }
        func numbers() -> [Int?] { list.signals.map { signal in signals.firstIndex { $0 === signal } } }

        list.fire { topic in topic == 0 || topic == 2 }
        let afterFiring = numbers()
        let isNextFirst = list.isOldest { topic in topic == 1 }
        list.remove(signals[1])
        let afterRemoval = numbers()
        list.remove(signals[4])
        list.fire { topic in topic == 3 }

        #expect(afterFiring == [1, 3, 4])
        #expect(isNextFirst)
        #expect(afterRemoval == [3, 4])
        #expect(list.isEmpty && list.count == 0 && !list.isCrowded)
        #expect(!list.isOldest { _ in true })
    }

    @Test("a touch wakes those that it is meant for, in a place where the oldest isn't meant")
    func wakesBehindTheOldest() {
        let slot = Slot(Log(), serial: 1)
        let never = TouchCheck(Signal()) { _, _ in false }
        let always = TouchCheck(Signal()) { _, _ in true }
        let checks = [never, nil, never, always, nil]
        let signals = checks.map { Signal(keeping: $0) }
        for (signal, check) in zip(signals, checks) {
            slot.waiting.append(signal, for: check.map { .passUnretained($0) })
        }

        slot.wake()

        #expect(signals.map(\.hasFired) == [false, true, false, true, true])
        #expect(slot.waiting.count == 2)
    }

    @Test("a removed signal isn't fired")
    func removed() {
        var list = SignalList<Void>()
        let kept = Signal()
        let removed = Signal()
        list.append(kept, for: ())
        list.append(removed, for: ())

        list.remove(removed)
        list.fire()

        #expect(kept.hasFired)
        #expect(!removed.hasFired)
    }
}
