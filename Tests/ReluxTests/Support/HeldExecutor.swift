import Relux

/// A serial executor that runs nothing until it is released. From then on, jobs run on the thread that enqueues them.
final class HeldExecutor: SerialExecutor {
    private struct Contents {
        /// Whether jobs have to wait, because the executor has not been released or because another thread is running
        /// jobs.
        var isTaken = true
        var jobs: [UnownedJob] = []
    }

    private let contents = Lock(Contents())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFree = contents.withLock { contents in
            contents.jobs.append(job)
            defer { contents.isTaken = true }
            return !contents.isTaken
        }
        if isFree { drain() }
    }

    func release() { drain() }

    private func drain() {
        while let job = next() { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    private func next() -> UnownedJob? {
        contents.withLock { contents in
            contents.isTaken = !contents.jobs.isEmpty
            return contents.isTaken ? contents.jobs.removeFirst() : nil
        }
    }
}
