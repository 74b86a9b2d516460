import ReluxTesting
import Testing

@testable import Relux

@Suite("JobLine", .timeLimit(.minutes(10)))
struct JobLineTests {
    /// Keeps the jobs of its tasks until a test runs them.
    private final class Catcher: TaskExecutor {
        private let jobs = Trace<UnownedJob>()

        func enqueue(_ job: consuming ExecutorJob) { jobs.note(UnownedJob(job)) }

        /// A job that does nothing but this.
        func job(_ body: @escaping @Sendable () -> Void) -> UnownedJob? {
            Task(executorPreference: self) { body() }
            return jobs.entries.last
        }

        func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    @Test("jobs leave by priority, and first in, first out within a priority", arguments: 0..<10 as Range<UInt64>)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let priorities: [UInt8] = [9, 17, 21, 25, 33]
        let catcher = Catcher()
        let ran = Trace<Int>()
        var line = JobLine()
        var model: [(number: Int, priority: UInt8)] = []
        var expected: [Int] = []

        for number in 0..<500 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                let priority = priorities.randomElement(using: &random) ?? 0
                line.append(try #require(catcher.job { ran.note(number) }), priority: priority)
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
        let catcher = Catcher()
        var line = JobLine()

        line.append(try #require(catcher.job {}), priority: 17)
        let requests = [line.requestDrain(), line.requestDrain()]
        line.append(try #require(catcher.job {}), priority: 9)
        let lower = line.requestDrain()
        line.append(try #require(catcher.job {}), priority: 25)
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
    private func leave(_ line: inout JobLine, _ ran: Trace<Int>, by catcher: Catcher) -> String {
        if line.popThread() != nil { return "thread" }
        guard let job = line.popJob(upTo: .max) else { return "nobody" }
        catcher.run(job)
        return "job \(ran.entries.last ?? 0)"
    }

    @Test("a blocked thread goes first, and takes along what came before it, but not what came after it")
    func blockedThreads() throws {
        let catcher = Catcher()
        let ran = Trace<Int>()
        var line = JobLine()
        for (number, priority) in [(1, 9), (2, 25), (3, 9)] as [(Int, UInt8)] {
            line.append(try #require(catcher.job { ran.note(number) }), priority: priority)
        }
        _ = line.appendThread()
        let lastJob = line.lastJob
        for (number, priority) in [(4, 33), (5, 9)] as [(Int, UInt8)] {
            line.append(try #require(catcher.job { ran.note(number) }), priority: priority)
        }

        let first = leave(&line, ran, by: catcher)
        while let job = line.popJob(upTo: lastJob) { catcher.run(job) }
        let takenAlong = ran.entries
        let rest = (0..<3).map { _ in leave(&line, ran, by: catcher) }

        #expect(first == "thread")
        #expect(takenAlong == [2, 1, 3])
        #expect(rest == ["job 4", "job 5", "nobody"])
    }

    @Test("blocked threads go first, in order of arrival")
    func order() throws {
        let catcher = Catcher()
        let ran = Trace<Int>()
        var line = JobLine()

        var arrived: [ThreadBlocker] = []
        for number in 1...3 {
            line.append(try #require(catcher.job { ran.note(number) }), priority: 17)
            arrived.append(line.appendThread())
        }
        let threads = (0..<3).map { _ in line.popThread() }
        let hasMore = !line.isEmpty
        let jobs = (0..<4).map { _ in leave(&line, ran, by: catcher) }

        #expect(threads.elementsEqual(arrived) { $0 === $1 })
        #expect(hasMore)
        #expect(jobs == ["job 1", "job 2", "job 3", "nobody"])
        #expect(line.isEmpty)
    }
}
