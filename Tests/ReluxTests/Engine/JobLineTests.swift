import ReluxTesting
import Testing

@testable import Relux

@Suite("JobLine")
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
                if let job = line.popFirst() { catcher.run(job) }
                guard let highest = model.map(\.priority).max() else { continue }
                let index = try #require(model.firstIndex { $0.priority == highest })
                expected.append(model.remove(at: index).number)
            }
        }
        while let job = line.popFirst() { catcher.run(job) }
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
        while let job = line.popFirst() { catcher.run(job) }

        #expect(requests == [17, nil])
        #expect(lower == nil)
        #expect(higher == [25, nil])
        #expect(next == 25)
    }
}
