import ReluxTesting

/// The result of running the scenario.
struct Trace: Equatable {
    let entries: [Int]
    let choices: [SeededExecutor.Choice]
}

/// Runs the scenario to its end.
func trace(seed: UInt64) -> Trace {
    let executor = SeededExecutor(seed: seed)
    let log = Log<Int>()
    start(log, on: executor)
    executor.drain()
    return Trace(entries: log.entries, choices: executor.choices)
}

/// Starts five tasks that write three times each: directly, from a child task, and what an actor returned, with pauses.
func start(_ log: Log<Int>, on executor: SeededExecutor) {
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

actor Counter {
    private(set) var value = 0

    func set(_ value: Int) {
        self.value = value
    }

    func increment() {
        value += 1
    }

    func incrementWithPause() async {
        // This waits for nothing. It is a suspension point from which the seeded executor continues when its seed
        // decides.
        await Task.yield()
        value += 1
    }
}
