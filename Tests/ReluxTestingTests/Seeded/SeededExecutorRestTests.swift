import Dispatch
import ReluxTesting
import TestFixtures
import Testing

@Suite("SeededExecutor at rest", .timeLimit(.minutes(10)))
struct SeededExecutorRestTests {
    @Test("a task that awaits rest drives if no other thread does")
    func restDrives() async {
        let executor = SeededExecutor(seed: 9)
        let log = Log<Int>()
        start(log, on: executor)

        await executor.rest()

        #expect(executor.isDry)
        #expect(log.entries == trace(seed: 9).entries)
    }

    @Test("a job that awaits rest continues when all others rest, and the next one after the work that it starts")
    func restWithin() {
        let executor = SeededExecutor(seed: 3)
        let log = Log<Int>()
        let order = Log<String>()
        Task(executorPreference: executor) {
            await executor.rest()
            order.add("first, \(log.entries.count)")
            Task(executorPreference: executor) { log.add(0) }
            Task(executorPreference: executor) {
                await executor.rest()
                order.add("second, \(log.entries.count)")
            }
        }
        start(log, on: executor)

        executor.drain()

        #expect(order.entries == ["first, 45", "second, 46"])
    }

    @Test("a manual clock lets the work of each sleeper come to rest before it wakes the next", arguments: 0..<50)
    func withClock(seed: UInt64) async {
        let executor = SeededExecutor(seed: seed)
        let clock = ManualClock { await executor.rest() }
        let log = Log<Int>()
        let counter = Counter()
        for sleeper in [3, 1, 2] {
            Task(executorPreference: executor) {
                for _ in 0..<3 {
                    try await clock.sleep(for: .seconds(sleeper))
                    await counter.incrementWithPause()
                    log.add(Int(clock.now.offset.components.seconds) * 10 + sleeper)
                }
            }
        }

        await clock.advance(by: .seconds(9))

        // Sleepers with equal deadlines wake in the order in which they went to sleep. Only that order depends on the
        // seed.
        #expect(log.entries.map { $0 / 10 } == [1, 2, 2, 3, 3, 4, 6, 6, 9])
        #expect(log.entries.map { $0 % 10 }.sorted() == [1, 1, 1, 2, 2, 2, 3, 3, 3])
        #expect(clock.sleepers.isEmpty)
    }

    @Test("a task of the executor may advance the clock that awaits the executor's rest", arguments: 0..<20)
    func clockWithin(seed: UInt64) {
        let executor = SeededExecutor(seed: seed)
        let clock = ManualClock { await executor.rest() }
        let log = Log<Int>()
        Task(executorPreference: executor) {
            for lap in 1...3 {
                try await clock.sleep(for: .seconds(1))
                log.add(lap)
            }
        }
        Task(executorPreference: executor) {
            await clock.advance(by: .seconds(2))
            log.add(20)
            await clock.advanceToNextDeadline()
            log.add(30)
        }

        executor.drain()

        #expect(log.entries == [1, 2, 20, 3, 30])
        #expect(executor.isDry)
    }

    @Test("a job whose rest is interrupted by a limit continues with the next drain")
    func interruptedRest() {
        let executor = SeededExecutor(seed: 1)
        let log = Log<String>()
        Task(executorPreference: executor) {
            await executor.rest()
            log.add("rested")
        }

        executor.drain(limit: 1)
        let before = log.entries
        executor.drain()

        #expect(before.isEmpty)
        #expect(log.entries == ["rested"])
    }

    @Test("of two tasks that rest on different threads one drives, and both continue when all work is done")
    func concurrentRests() async {
        let executor = SeededExecutor(seed: 1)
        let log = Log<Int>()
        start(log, on: executor)

        async let one: Void = executor.rest()
        async let other: Void = executor.rest()
        _ = await (one, other)

        #expect(log.entries.count == 45)
        #expect(executor.isDry)
    }
}

// MARK: - Work from elsewhere

extension SeededExecutorRestTests {
    @Test("a job that returns from another thread is counted as a stray")
    func strays() {
        let executor = SeededExecutor(seed: 1)
        let elsewhere = DispatchQueue(label: "elsewhere")
        let isAway = DispatchSemaphore(value: 0)
        let isBack = DispatchSemaphore(value: 0)
        Task(executorPreference: executor) {
            await withCheckedContinuation { continuation in
                elsewhere.async {
                    isAway.wait()
                    continuation.resume()
                    isBack.signal()
                }
            }
        }

        let counts = executor.drive {
            let first = executor.drain()
            isAway.signal()
            isBack.wait()
            return [first, executor.drain()]
        }

        #expect(counts == [1, 1])
        #expect(executor.strays == 1)
    }

    @Test("a task without the preference leaves, even if a job of the executor created it")
    func unstructuredTasks() async {
        let executor = SeededExecutor(seed: 1)
        let preferring = Log<Bool>()
        let task = Task(executorPreference: executor) {
            Task { withUnsafeCurrentTask { preferring.add($0?.unownedTaskExecutor != nil) } }
        }

        await executor.rest()
        await task.value.value

        #expect(preferring.entries == [false])
        #expect(executor.choices.count == 1)
    }

    @Test("a wait for an arrival ends when a job arrives")
    func arrival() async {
        let executor = SeededExecutor(seed: 1)
        let gate = Gate()
        let back = Log<Bool>()
        Task(executorPreference: executor) {
            await Task.detached { await gate.pass() }.value
            back.add(true)
        }
        await executor.rest()
        await gate.arrivals()

        gate.open()
        await executor.arrival()
        await executor.rest()

        #expect(back.entries == [true])
    }

    @Test("a wait for an arrival ends when it is cancelled")
    func cancelledArrival() async {
        let executor = SeededExecutor(seed: 1)
        let wait = Task { await executor.arrival() }

        wait.cancel()

        await wait.value
        #expect(executor.isDry)
    }
}
