import Foundation

/// A thread that runs jobs one at a time, in order: those of tasks that prefer ``tasks``, and those of actors whose
/// executor is ``actors``.
///
/// A test can block it without taking a thread from the pool, and its stack can be as small as the test needs it to be.
package final class ThreadExecutor: Sendable {
    package final class Tasks: TaskExecutor {
        private let line: Line

        fileprivate init(_ line: Line) {
            self.line = line
        }

        package func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            line.append { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    package final class Actors: SerialExecutor {
        private let line: Line

        fileprivate init(_ line: Line) {
            self.line = line
        }

        package func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            line.append { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    // @unchecked Sendable: the variables are accessed only while the condition is locked.
    fileprivate final class Line: @unchecked Sendable {
        private let condition = NSCondition()
        private var jobs: [@Sendable () -> Void] = []
        private var isOver = false

        func append(_ job: @escaping @Sendable () -> Void) {
            condition.withLock { jobs.append(job) }
            condition.signal()
        }

        func end() {
            condition.withLock { isOver = true }
            condition.signal()
        }

        /// Waits for jobs.
        ///
        /// - Returns: Nil at the end.
        func next() -> [@Sendable () -> Void]? {
            condition.withLock {
                while jobs.isEmpty, !isOver { condition.wait() }
                defer { jobs = [] }
                return jobs.isEmpty ? nil : jobs
            }
        }
    }

    package let tasks: Tasks
    package let actors: Actors
    private let line: Line

    /// - Parameter stackSize: In bytes.
    package init(stackSize: Int = 512 << 10) {
        let line = Line()
        (tasks, actors, self.line) = (Tasks(line), Actors(line), line)
        let thread = Thread {
            while let jobs = line.next() {
                for job in jobs { job() }
            }
        }
        thread.stackSize = stackSize
        thread.start()
    }

    /// Runs something in its turn that may block the thread.
    package func run(_ job: @escaping @Sendable () -> Void) { line.append(job) }

    /// Ends the thread once it has run its jobs. Nothing may be enqueued afterwards.
    package func end() { line.end() }
}
