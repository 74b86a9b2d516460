import ReluxTesting
import Testing

@testable import Relux

@Suite("JobLine", .timeLimit(.minutes(10)))
struct JobLineTests {
    /// Keeps the jobs of its tasks until a test runs them.
    private final class Catcher: TaskExecutor {
        private let jobs = Trace<UnownedJob>()

        func enqueue(_ job: consuming ExecutorJob) { jobs.note(UnownedJob(job)) }

        /// Appends jobs that note their numbers.
        func append(_ jobs: [(number: Int, priority: UInt8)], to line: inout JobLine, noting ran: Trace<Int>) throws {
            for job in jobs {
                Task(executorPreference: self) { ran.note(job.number) }
                line.append(try #require(self.jobs.entries.last), priority: job.priority)
            }
        }

        func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private let catcher = Catcher()
    private let ran = Trace<Int>()

    @Test("jobs leave by priority, and first in, first out within a priority", arguments: 0..<10 as Range<UInt64>)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let priorities: [UInt8] = [9, 17, 21, 25, 33]
        var line = JobLine()
        var model: [(number: Int, priority: UInt8)] = []
        var expected: [Int] = []

        for number in 0..<500 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                let priority = priorities.randomElement(using: &random) ?? 0
                try catcher.append([(number, priority)], to: &line, noting: ran)
                model.append((number, priority))
            } else {
                if let job = line.popJob(upTo: .max) { catcher.run(job) }
                guard let highest = model.map(\.priority).max() else { continue }
                let index = try #require(model.firstIndex { $0.priority == highest })
                expected.append(model.remove(at: index).number)
            }
        }
        while let job = line.popJob(upTo: .max) { catcher.run(job) }
        // A stable sort.
        for priority in Set(model.map(\.priority)).sorted(by: >) {
            expected += model.filter { $0.priority == priority }.map(\.number)
        }

        #expect(ran.entries == expected)
    }

    @Test("one drain is requested at a time, and another for a higher priority")
    func drains() throws {
        var line = JobLine()

        try catcher.append([(1, 17)], to: &line, noting: ran)
        let requests = [line.requestDrain(), line.requestDrain()]
        try catcher.append([(2, 9)], to: &line, noting: ran)
        let lower = line.requestDrain()
        try catcher.append([(3, 25)], to: &line, noting: ran)
        let higher = [line.requestDrain(), line.requestDrain()]
        line.startDrain()
        let next = line.requestDrain()
        while let job = line.popJob(upTo: .max) { catcher.run(job) }

        #expect(requests == [17, nil])
        #expect(lower == nil)
        #expect(higher == [25, nil])
        #expect(next == 25)
    }

    // MARK: Blocked threads

    /// Who left the line, by the numbers of the jobs.
    private func leave(_ line: inout JobLine) -> String {
        if line.popThread() != nil { return "thread" }
        guard let job = line.popJob(upTo: .max) else { return "nobody" }
        catcher.run(job)
        return "job \(ran.entries.last ?? 0)"
    }

    @Test("a blocked thread goes first, and takes along what came before it, but not what came after it")
    func blockedThreads() throws {
        var line = JobLine()
        try catcher.append([(1, 9), (2, 25), (3, 9)], to: &line, noting: ran)
        _ = line.appendThread()
        let lastJob = line.lastJob
        try catcher.append([(4, 33), (5, 9)], to: &line, noting: ran)

        let first = leave(&line)
        while let job = line.popJob(upTo: lastJob) { catcher.run(job) }
        let takenAlong = ran.entries
        let rest = (0..<3).map { _ in leave(&line) }

        #expect(first == "thread")
        #expect(takenAlong == [2, 1, 3])
        #expect(rest == ["job 4", "job 5", "nobody"])
    }

    @Test("blocked threads go first, in order of arrival")
    func order() throws {
        var line = JobLine()

        var arrived: [ThreadBlocker] = []
        for number in 1...3 {
            try catcher.append([(number, 17)], to: &line, noting: ran)
            arrived.append(line.appendThread())
        }
        let threads = (0..<3).map { _ in line.popThread() }
        let hasMore = !line.isEmpty
        let jobs = (0..<4).map { _ in leave(&line) }

        #expect(threads.elementsEqual(arrived) { $0 === $1 })
        #expect(hasMore)
        #expect(jobs == ["job 1", "job 2", "job 3", "nobody"])
        #expect(line.isEmpty)
    }
}
