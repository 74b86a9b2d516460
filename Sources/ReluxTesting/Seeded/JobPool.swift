/// The jobs that wait, and how the next is chosen: the state machine of a seeded executor.
///
/// Transitions run and resume nothing. They return what to do, and the executor does it once it has left its lock.
struct JobPool {
    /// What a driver does next.
    enum Step {
        case run(UnownedJob)
        case resume(CheckedContinuation<Bool, Never>)
        case stop
    }

    /// What becomes of a thread that wants to drive.
    enum Takeover {
        case outermost
        /// It drives already, and isn't within a job.
        case nested
        case refused
    }

    /// A wait for a job, which can be given up.
    struct Arrival {
        let id: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private(set) var choices: [SeededExecutor.Choice] = []
    private(set) var strays = 0

    private var jobs: [UnownedJob] = []
    private var generator: SeededGenerator
    private var driver: ThreadIdentity?
    private var isRunning = false
    private var resting: [CheckedContinuation<Bool, Never>] = []
    private var arrivals: [Arrival] = []
    private var lastID: UInt64 = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    var isDry: Bool { jobs.isEmpty }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }
}

// MARK: - Jobs

extension JobPool {
    /// - Returns: Who has waited for a job.
    mutating func add(_ job: UnownedJob, from thread: ThreadIdentity) -> [Arrival] {
        jobs.append(job)
        if let driver, driver != thread { strays += 1 }
        guard !arrivals.isEmpty else { return [] }
        defer { arrivals = [] }
        return arrivals
    }

    /// One job at random; with none left, one of those who wait for rest, in the order in which they came.
    mutating func next() -> Step {
        guard !jobs.isEmpty else {
            return resting.isEmpty ? .stop : .resume(resting.removeFirst())
        }
        let index = generator.next(below: jobs.count)
        choices.append(SeededExecutor.Choice(index: index, count: jobs.count))
        isRunning = true
        // The order of the others doesn't matter: any may be next.
        jobs.swapAt(index, jobs.count - 1)
        return .run(jobs.removeLast())
    }
}

// MARK: - Driving

extension JobPool {
    mutating func takeOver(_ thread: ThreadIdentity) -> Takeover {
        guard let driver else {
            self.driver = thread
            return .outermost
        }
        return driver == thread && !isRunning ? .nested : .refused
    }

    mutating func finishJob() {
        isRunning = false
    }

    /// - Returns: Who waits for rest still, and has to drive now.
    mutating func leave() -> [CheckedContinuation<Bool, Never>] {
        driver = nil
        defer { resting = [] }
        return resting
    }
}

// MARK: - Waiting

extension JobPool {
    /// - Returns: The continuation, if nobody drives who would resume it.
    mutating func rest(_ continuation: CheckedContinuation<Bool, Never>) -> CheckedContinuation<Bool, Never>? {
        guard driver != nil else { return continuation }
        resting.append(continuation)
        return nil
    }

    /// - Returns: What to resume at once.
    mutating func await(_ arrival: Arrival, isCancelled: Bool) -> Arrival? {
        guard jobs.isEmpty, !isCancelled else { return arrival }
        arrivals.append(arrival)
        return nil
    }

    mutating func cancel(_ id: UInt64) -> Arrival? {
        arrivals.firstIndex { $0.id == id }.map { arrivals.remove(at: $0) }
    }
}
