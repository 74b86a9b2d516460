import Testing

@testable import Relux

@Suite("RunWaits")
struct RunWaitsTests {
    private let first = Signal()
    private let second = Signal()

    /// The waits of run 1 and run 2 that end with the run.
    private func ended(_ change: (inout RunWaits) -> Void) -> (first: [Bool], second: [Bool], isEmpty: Bool) {
        var waits = RunWaits()
        waits.add(first, of: 1)
        waits.add(second, of: 1)
        change(&waits)
        let found = [1, 2].map { waits.removeAll(of: $0) }
        return (
            found.map { $0.contains { $0 === first } }, found.map { $0.contains { $0 === second } }, waits.isEmpty
        )
    }

    @Test("the waits of a run end with it, and not with another")
    func ends() {
        let ended = ended { $0.add(first, of: 2) }

        #expect(ended.first == [true, true])
        #expect(ended.second == [true, false])
        #expect(ended.isEmpty)
    }

    @Test("a wait that was removed does not end with its run, but the others do")
    func removes() {
        let ended = ended { $0.remove(second, of: 1) }

        #expect(ended.first == [true, false])
        #expect(ended.second == [false, false])
    }

    @Test("a run whose last wait was removed is no longer listed")
    func forgets() {
        var waits = RunWaits()
        waits.add(first, of: 1)
        waits.add(second, of: 1)

        waits.remove(first, of: 1)
        let counts = [waits.count]
        waits.remove(second, of: 1)

        #expect(counts == [1])
        #expect(waits.isEmpty)
    }
}
