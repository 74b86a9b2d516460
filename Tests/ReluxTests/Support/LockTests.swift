import Relux
import Testing

@Suite("Lock", .timeLimit(.minutes(10)))
struct LockTests {
    private final class Counter: Sendable {
        let number = Lock(0)
    }

    @Test("no change is lost when many tasks change the value")
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
