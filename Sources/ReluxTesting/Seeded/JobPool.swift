import Relux

/// The waiting jobs and the choice of the next one: the state machine of a seeded executor.
///
/// Transitions neither run jobs nor resume continuations. They return what to do, and the executor does it after
/// releasing its lock.
struct JobPool {
    /// The next step of the driving thread.
    enum Step {
        case run(UnownedJob)
        case resume(CheckedContinuation<Bool, Never>)
        case stop
    }

    /// The result of a thread's attempt to drive the executor.
    enum Takeover {
        case outermost
        /// The thread already drives the executor and isn't inside a job.
        case nested
        case refused
    }

    /// A cancellable wait for a job.
    struct Arrival {
        let id: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private(set) var choices: [SeededExecutor.Choice] = []
    private(set) var strays = 0

    /// Whether the executor takes no more jobs, because nothing will drive it again.
    var isRetired = false

    /// A waiting job, and the task that it is part of.
    private struct Waiting {
        let job: UnownedJob
        let task: UInt64
    }

    private var jobs: [Waiting] = []
    /// Chooses jobs; nil if the one that has waited longest is next, unless the driver chooses another.
    private var generator: SeededGenerator?
    private var driver: UInt?
    /// The thread that the driver is waiting for. Its jobs don't count as strays.
    var guest: UInt?
    private var isRunning = false
    private var resting: [CheckedContinuation<Bool, Never>] = []
    private var arrivals: [Arrival] = []
    private var lastID: UInt64 = 0

    init(seed: UInt64?) {
        generator = seed.map { SeededGenerator(seed: $0) }
    }

    var isDry: Bool { jobs.isEmpty }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }
}

/// The number of the task that a job is part of. Numbers are never used again, unlike the addresses of jobs.
@_silgen_name("swift_task_getJobTaskId")
private func jobTaskID(_ job: UnownedJob) -> UInt64

// MARK: - Jobs

extension JobPool {
    /// Adds a job and returns the waits that it ends, to be resumed.
    mutating func add(_ job: UnownedJob, from thread: UInt) -> [Arrival] {
        jobs.append(Waiting(job: job, task: jobTaskID(job)))
        if let driver, driver != thread, guest != thread { strays += 1 }
        guard !arrivals.isEmpty else { return [] }
        defer { arrivals = [] }
        return arrivals
    }

    /// The tasks of the waiting jobs, in order of arrival.
    var tasks: [UInt64] { jobs.map(\.task) }

    var jobCount: Int { jobs.count }

    /// Returns the next job or, if there is none, the longest-waiting task of those that wait for rest.
    ///
    /// - Parameter chosen: The index of the job in order of arrival; nil to choose here.
    mutating func next(at chosen: Int? = nil) -> Step {
        guard !jobs.isEmpty else {
            return resting.isEmpty ? .stop : .resume(resting.removeFirst())
        }
        let index = chosen ?? generator?.next(below: jobs.count) ?? 0
        choices.append(SeededExecutor.Choice(index: index, count: jobs.count))
        isRunning = true
        return .run(jobs.remove(at: index).job)
    }
}

// MARK: - Driving

extension JobPool {
    mutating func takeOver(_ thread: UInt) -> Takeover {
        guard let driver else {
            self.driver = thread
            return .outermost
        }
        return driver == thread && !isRunning ? .nested : .refused
    }

    mutating func finishJob() {
        isRunning = false
    }

    /// Ends driving. Returns the tasks still waiting for rest, one of which must drive now.
    mutating func leave() -> [CheckedContinuation<Bool, Never>] {
        driver = nil
        defer { resting = [] }
        return resting
    }
}

// MARK: - Waiting

extension JobPool {
    /// Returns the continuation if no thread drives the executor, because nothing would resume it.
    mutating func rest(_ continuation: CheckedContinuation<Bool, Never>) -> CheckedContinuation<Bool, Never>? {
        guard driver != nil else { return continuation }
        resting.append(continuation)
        return nil
    }

    /// Returns the wait if it must be resumed at once.
    mutating func await(_ arrival: Arrival, isCancelled: Bool) -> Arrival? {
        guard jobs.isEmpty, !isCancelled else { return arrival }
        arrivals.append(arrival)
        return nil
    }

    mutating func cancel(_ id: UInt64) -> Arrival? {
        arrivals.firstIndex { $0.id == id }.map { arrivals.remove(at: $0) }
    }
}
