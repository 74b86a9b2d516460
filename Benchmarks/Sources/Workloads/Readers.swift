import Relux
import Synchronization

/// Tasks that iterate a sequence each, and count the values that they get.
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

    /// Waits until every reader has got one value more than when this was called before.
    func waitForValues() async {
        let awaited = expected.withLock { expected in
            expected += tasks.count
            return expected
        }
        await arrivals.wait(for: awaited)
    }

    /// Waits for a value each, and lets the readers go back to waiting.
    ///
    /// A reader can't tell that it waits. It asks for the next value right after the last line, so it is given a turn
    /// on the pool, and the store time to answer it.
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
