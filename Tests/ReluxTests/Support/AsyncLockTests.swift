import ReluxTesting
import Synchronization
import Testing

@testable import Relux

@Suite("Asynchronous lock", .timeLimit(.minutes(10)))
struct AsyncLockTests {
    /// Something that is only whole while one at a time is at it.
    private final class Yard: Sendable {
        let lock = AsyncLock()
        // nonisolated(unsafe): touched by whoever holds the lock; that is what is tested.
        nonisolated(unsafe) var entries: [Int] = []

        /// Takes the lock, and says whether that was possible.
        func take() -> Bool { lock.tryLock() }
    }

    /// Begins tasks that want the lock, each once the one before waits for it.
    private func begin(_ count: Int, at yard: Yard, on executor: SeededExecutor) -> [Task<Void, Never>] {
        (0..<count).map { number in
            let task = Task(executorPreference: executor) {
                await yard.lock.lockOrStandInLine()?.wait()
                yard.entries.append(number)
                yard.lock.unlock()
            }
            executor.drain()
            return task
        }
    }

    @Test("one at a time holds it")
    func oneAtATime() {
        let lock = AsyncLock()

        let first = lock.tryLock()
        let second = lock.tryLock()
        lock.unlock()
        let third = lock.tryLock()

        #expect([first, second, third] == [true, false, true])
    }

    @Test("who waits gets it in the order of coming, cancelled or not", arguments: [false, true])
    func inOrder(isCancelled: Bool) async {
        let yard = Yard()
        let executor = SeededExecutor(seed: 1)
        #expect(yard.take())
        let tasks = begin(3, at: yard, on: executor)

        if isCancelled { tasks[1].cancel() }
        executor.drain()
        let before = yard.entries
        yard.lock.unlock()
        executor.drain()
        for task in tasks { await task.value }

        #expect(before.isEmpty)
        #expect(yard.entries == [0, 1, 2])
        #expect(yard.take())
    }

    @Test("nobody gets it before those who wait")
    func handedOver() async {
        let yard = Yard()
        let executor = SeededExecutor(seed: 1)
        #expect(yard.take())
        let tasks = begin(2, at: yard, on: executor)

        yard.lock.unlock()
        let isFree = yard.take()
        let late = yard.lock.lockOrStandInLine()
        executor.drain()
        await late?.wait()
        yard.entries.append(2)
        yard.lock.unlock()
        for task in tasks { await task.value }

        #expect(!isFree)
        #expect(yard.entries == [0, 1, 2])
        #expect(yard.take())
    }

    @Test("each of a crowd gets it, one at a time")
    func crowd() async {
        let yard = Yard()
        let tasks = 8
        let rounds = 2_000

        await withTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    for _ in 0..<rounds {
                        if !yard.lock.tryLock() { await yard.lock.lockOrStandInLine()?.wait() }
                        yard.entries.append(task)
                        yard.lock.unlock()
                    }
                }
            }
        }

        #expect(yard.entries.count == tasks * rounds)
        #expect((0..<tasks).allSatisfy { task in yard.entries.count { $0 == task } == rounds })
        #expect(yard.take())
    }
}
