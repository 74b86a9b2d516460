import Dispatch
import ReluxTesting
import Testing

@Suite("SeededExecutor")
struct SeededExecutorTests {
    @Test("Nothing runs before it is driven, and then everything until nothing is left")
    func drains() {
        let executor = SeededExecutor(seed: 1)
        let log = Log<Int>()
        start(log, on: executor)

        let before = log.entries
        let count = executor.drain()

        #expect(before.isEmpty)
        #expect(log.entries.count == 45)
        #expect(count == executor.choices.count)
        #expect(executor.isDry)
        #expect(executor.drain() == 0)
    }

    @Test("The same seed gives the same order and the same choices, a hundred times")
    func sameSeed() {
        let first = trace(seed: 42)

        for _ in 0..<100 { #expect(trace(seed: 42) == first) }
    }

    @Test("Different seeds give different orders")
    func differentSeeds() {
        let orders = Set((0..<100).map { trace(seed: $0).entries })

        #expect(orders.count == 100)
    }

    @Test("Jobs of default actors are carried: all that happens is on the driver's thread")
    func carriesActors() {
        let executor = SeededExecutor(seed: 1)
        let counter = Counter()
        let values = Log<Int>()
        for _ in 0..<10 {
            Task(executorPreference: executor) {
                await counter.increment()
                await counter.incrementWithPause()
                values.add(await counter.value)
            }
        }

        executor.drain()

        #expect(values.entries.max() == 20)
        #expect(executor.strays == 0)
    }

    @Test("A limit stops it in between, and the next drain goes on")
    func limit() {
        let executor = SeededExecutor(seed: 1)
        let log = Log<Int>()
        start(log, on: executor)

        let first = executor.drain(limit: 10)
        let isDry = executor.isDry
        executor.drain()

        #expect(first == 10)
        #expect(!isDry)
        #expect(Trace(entries: log.entries, choices: executor.choices) == trace(seed: 1))
    }

    @Test("Driven from within a task, it leaves that task as it was, and takes the same choices")
    func fromTask() async {
        let executor = SeededExecutor(seed: 5)
        let log = Log<Int>()
        Local.$value.withValue(7) {
            start(log, on: executor)
            let before = withUnsafeCurrentTask { $0?.hashValue }

            executor.drain()

            #expect(withUnsafeCurrentTask { $0?.hashValue } == before)
            #expect(Local.value == 7)
        }
        #expect(log.entries == trace(seed: 5).entries)
    }

    @Test("Driven from within an actor, it leaves the actor's isolation as it was")
    func fromActor() async {
        let driver = Driver()

        let entries = await driver.drive(seed: 5)

        #expect(entries == trace(seed: 5).entries)
    }

    @Test("A job can't drain its own executor")
    func reentrancy() {
        let executor = SeededExecutor(seed: 1)
        let counts = Log<Int>()
        Task(executorPreference: executor) {
            Task(executorPreference: executor) {}
            counts.add(executor.drain())
        }

        let count = executor.drain()

        #expect(counts.entries == [0])
        #expect(count == 2)
    }
}

// MARK: - Rest

extension SeededExecutorTests {
    @Test("Who awaits rest drives if nobody does")
    func restDrives() async {
        let executor = SeededExecutor(seed: 9)
        let log = Log<Int>()
        start(log, on: executor)

        await executor.rest()

        #expect(executor.isDry)
        #expect(log.entries == trace(seed: 9).entries)
    }

    @Test("A job that awaits rest goes on when all others have come to rest, and the next after what it sets off")
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

    @Test("A manual clock lets what each sleeper sets off come to rest before it wakes the next", arguments: 0..<50)
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

        // Who slept first wakes first where deadlines are equal; only that order is the seed's.
        #expect(log.entries.map { $0 / 10 } == [1, 2, 2, 3, 3, 4, 6, 6, 9])
        #expect(log.entries.map { $0 % 10 }.sorted() == [1, 1, 1, 2, 2, 2, 3, 3, 3])
        #expect(clock.sleepers.isEmpty)
    }
}

// MARK: - Work from elsewhere

extension SeededExecutorTests {
    @Test("A job that comes back from another thread is counted as a stray")
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

    @Test("A task without the preference leaves, also when a job of the executor has made it")
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

    @Test("Who waits for an arrival goes on when a job has come")
    func arrival() async {
        let executor = SeededExecutor(seed: 1)
        let gate = Gate()
        let back = Log<Bool>()
        Task(executorPreference: executor) {
            await Task.detached { await gate.pass() }.value
            back.add(true)
        }
        await executor.rest()
        await gate.arrivals(atLeast: 1)

        await gate.open()
        await executor.arrival()
        await executor.rest()

        #expect(back.entries == [true])
    }

    @Test("Who waits for an arrival and is cancelled goes on")
    func cancelledArrival() async {
        let executor = SeededExecutor(seed: 1)
        let wait = Task { await executor.arrival() }

        wait.cancel()

        await wait.value
        #expect(executor.isDry)
    }
}

// MARK: - A scenario

extension SeededExecutorTests {
    struct Trace: Equatable {
        let entries: [Int]
        let choices: [SeededExecutor.Choice]
    }

    private func trace(seed: UInt64) -> Trace {
        let executor = SeededExecutor(seed: seed)
        let log = Log<Int>()
        start(log, on: executor)
        executor.drain()
        return Trace(entries: log.entries, choices: executor.choices)
    }
}

/// Five tasks that write three times each, directly, from an actor, and from a child task, with pauses.
private func start(_ log: Log<Int>, on executor: SeededExecutor) {
    let counter = Counter()
    for task in 0..<5 {
        Task(executorPreference: executor) {
            for lap in 0..<3 {
                await counter.incrementWithPause()
                log.add(task * 100 + lap)
                async let value = counter.value
                await withTaskGroup { group in
                    group.addTask { log.add(task * 100 + 10) }
                }
                log.add(await value)
            }
        }
    }
}

private enum Local {
    @TaskLocal static var value = 0
}

private actor Counter {
    private(set) var value = 0

    func increment() {
        value += 1
    }

    func incrementWithPause() async {
        await Task.yield()
        value += 1
    }
}

private actor Driver {
    func drive(seed: UInt64) -> [Int] {
        let executor = SeededExecutor(seed: seed)
        let log = Log<Int>()
        start(log, on: executor)
        executor.drain()
        assertIsolated()
        return log.entries
    }
}
