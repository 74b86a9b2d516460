import Relux
import Synchronization

/// Tasks that each iterate a sequence and count the values that they receive.
final class Readers: Sendable {
    private let arrivals = Arrivals()
    private let expected = Mutex(0)
    private let tasks: [Task<Void, Never>]

    init<Values: AsyncSequence & Sendable>(_ count: Int, of values: Values) where Values.Failure == Never {
        let arrivals = arrivals
        tasks = (0..<count).map { _ in
            Task {
                for await _ in values { arrivals.add() }
            }
        }
    }

    /// Waits until every reader has received one more value than at the previous call.
    func waitForValues() async {
        let awaited = expected.withLock { expected in
            expected += tasks.count
            return expected
        }
        await arrivals.wait(for: awaited)
    }

    /// Waits for one value per reader, and then gives the readers time to wait again.
    ///
    /// A reader can't observe its own waiting. It requests its next value right after its last statement. This
    /// therefore gives it turns on the pool, and the store time to answer.
    func waitUntilWaiting(in store: Relux.Store) async {
        await waitForValues()
        for _ in 0..<4 {
            await Task.yield()
            await store.read { _ in }
        }
    }

    /// Ends the readers.
    func end() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
