import Relux
import Testing

@Suite("Lock")
struct LockTests {
    private final class Counter: Sendable {
        let number = Lock(0)
    }

    @Test("no change of many tasks is lost")
    func changesAreExclusive() async {
        let counter = Counter()

        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<5_000 { counter.number.withLock { $0 += 1 } } }
            }
        }

        #expect(counter.number.withLock { $0 } == 40_000)
    }
}
