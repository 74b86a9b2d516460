import Testing

@testable import Relux

@Suite("YieldSchedule")
struct YieldScheduleTests {
    /// Returns how often a yield is due in a loop whose counter grows by `step`, at the times that a closure returns.
    private func count(_ rounds: UInt64, in step: UInt64 = 1, at time: (UInt64) -> Int64) -> Int {
        let schedule = YieldSchedule()
        return (1...rounds).count { round in schedule.isDue(at: step * round) { time(round) } }
    }

    @Test("it reads the clock about once in 64 rounds, whatever else the loop does", arguments: 1...260)
    func clockReads(step: UInt64) {
        let reads = count(6_400, in: step) { round in Int64(round) * YieldSchedule.interval }

        #expect((60...140).contains(reads))
    }

    @Test("a yield is due once per interval")
    func interval() {
        let rounds: UInt64 = 100_000

        // One hundred intervals, each with one thousand rounds.
        let due = count(rounds) { round in Int64(round) * YieldSchedule.interval / 1_000 }

        #expect((80...100).contains(due))
    }

    @Test("a yield is due at the first check, and not again while the time doesn't change")
    func unchangedTime() {
        #expect(count(10_000) { _ in 7 } == 1)
    }

    // A yield would otherwise be due at each of them, or at none.
    @Test("each perform has a number of its own")
    func numbers() async {
        let store = Relux.Store()

        let numbers = await store.inside { core in
            (1...3).map { _ in
                core.perform(Work(), depth: 0, as: .outside, at: Relux.CallSite()).number
            }
        }

        #expect(Set(numbers).count == 3)
    }

    // MARK: Tasks that perform in a loop

    /// The first perform of a store after which a yield is due. At time 0, one interval has passed.
    private var firstDue: UInt64? { (1...UInt64(10_000)).first { YieldSchedule().isDue(at: $0) { 0 } } }

    // Nothing else suspends such a task.
    @Test("a task that performs effects yields its thread when that is due, and not before")
    func yields() async throws {
        // On older systems, no run starts on the thread of its performer, who therefore suspends each time.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let due = try #require(firstDue)
        let thread = ThreadExecutor()
        defer { thread.end() }
        let trace = Trace<UInt64>()
        let store = try await Relux.Store { WorkSaga { _, _ in }.module() }

        try await Task(executorPreference: thread.tasks) {
            Task(executorPreference: thread.tasks) { trace.note(0) }
            for number in 1...(due + 1) {
                try await store.perform(Work())
                trace.note(number)
            }
        }.value

        #expect(trace.entries == Array(1..<due) + [0, due, due + 1])
    }

    /// Counts the jobs of its tasks.
    private final class CountingExecutor: TaskExecutor {
        let thread = ThreadExecutor()
        private let jobs = Lock(0)

        var count: Int { jobs.withLock { $0 } }

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.withLock { $0 += 1 }
            thread.tasks.enqueue(job)
        }
    }

    // A yield depends on the time, and would change the order of a seeded executor.
    @Test("a task that performs effects doesn't yield in a store with an executor")
    func yieldsNothing() async throws {
        let due = try #require(firstDue)
        let executor = CountingExecutor()
        defer { executor.thread.end() }
        let store = Relux.Store(.init(executor: executor))
        try await store.register(WorkSaga { _, _ in }.module())

        let jobs = try await Task(executorPreference: executor) {
            var jobs: [Int] = []
            for _ in 1...(due + 1) {
                let before = executor.count
                try await store.perform(Work())
                jobs.append(executor.count - before)
            }
            return jobs
        }.value

        #expect(Set(jobs).count == 1)
    }
}
