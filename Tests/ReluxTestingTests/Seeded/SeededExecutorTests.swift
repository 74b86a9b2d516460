import ReluxTesting
import Testing

@Suite("SeededExecutor", .timeLimit(.minutes(10)))
struct SeededExecutorTests {
    @Test("nothing runs before it is driven, and then everything runs until nothing is left")
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

    @Test("the same seed gives the same order and the same choices, a hundred times")
    func sameSeed() {
        let first = trace(seed: 42)

        for _ in 0..<100 { #expect(trace(seed: 42) == first) }
    }

    @Test("different seeds give different orders")
    func differentSeeds() {
        let orders = Set((0..<100).map { trace(seed: $0).entries })

        #expect(orders.count == 100)
    }

    @Test("a lost update between a read and a write of an actor is found by some seeds, and not by others")
    func findsRaces() {
        let values = (0..<50 as Range<UInt64>).map { seed -> Int in
            let executor = SeededExecutor(seed: seed)
            let counter = Counter()
            let result = Log<Int>()
            Task(executorPreference: executor) {
                await withTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask {
                            let value = await counter.value
                            await counter.set(value + 1)
                        }
                    }
                }
                result.add(await counter.value)
            }
            executor.drain()
            return result.entries.first ?? 0
        }

        #expect(Set(values) == [1, 2])
    }

    @Test("jobs of default actors run here too, all on the driving thread")
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

    @Test("a limit interrupts a drain, and the next drain continues")
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

    @Test("driven from within a task, it leaves that task as it was and makes the same choices")
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

    @Test("driven from within an actor, it leaves the actor's isolation as it was")
    func fromActor() async {
        let driver = Driver()

        let entries = await driver.drive(seed: 5)

        #expect(entries == trace(seed: 5).entries)
    }

    @Test("a job can't drain its own executor")
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

private enum Local {
    @TaskLocal static var value = 0
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
