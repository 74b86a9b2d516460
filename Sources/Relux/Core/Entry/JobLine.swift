/// The line before a ``StoreExecutor``: jobs, and threads that a synchronous verb blocks.
///
/// A pure state machine. Jobs with a higher priority go first, and within a priority the order is that of arrival. A
/// task has at most one job in the line, because it is suspended until that job has run, so priorities never reorder
/// what one task does. A blocked thread goes before everything that came after it, and takes the jobs that came before
/// it along: whatever its actor has begun to do, it has done first.
struct JobLine {
    private struct Lane {
        let priority: UInt8
        /// By their numbers.
        var jobs = ArrivalList<UnownedJob>()
    }

    /// In descending order of priority. Lanes are kept when they run empty: there are few priorities.
    private var lanes: [Lane] = []
    private var threads = ArrivalList<ThreadBlocker>()
    /// The number of the job that has come last.
    private(set) var lastJob: UInt64 = 0
    /// The priority of the drain that was requested and has not started yet; nil if there is none.
    private var requestedDrain: UInt8?

    mutating func append(_ job: UnownedJob, priority: UInt8) {
        lastJob += 1
        let index = lanes.firstIndex { $0.priority <= priority } ?? lanes.count
        if index == lanes.count || lanes[index].priority != priority {
            lanes.insert(Lane(priority: priority), at: index)
        }
        lanes[index].jobs.insert(job, as: lastJob)
    }

    mutating func appendThread() -> ThreadBlocker {
        let thread = ThreadBlocker(value: 0)
        threads.append(thread)
        return thread
    }

    /// Removes and returns the next job; nil if there is none, or if a blocked thread goes first.
    mutating func popJob() -> UnownedJob? { threads.isEmpty ? popJob(upTo: .max) : nil }

    /// Removes and returns the next of the jobs up to a number.
    mutating func popJob(upTo last: UInt64) -> UnownedJob? {
        // The first job of a lane is its oldest.
        for index in lanes.indices {
            if let first = lanes[index].jobs.firstKey, first <= last { return lanes[index].jobs.popFirst() }
        }
        return nil
    }

    /// Removes and returns the thread that gets in before anything else.
    mutating func popThread() -> ThreadBlocker? { threads.popFirst() }

    /// Requests a drain for the jobs, unless there are none, or one with a sufficient priority is on its way.
    ///
    /// - Returns: The priority with which the caller must start it; nil if it need not.
    mutating func requestDrain() -> UInt8? {
        guard let priority = lanes.first(where: { !$0.jobs.isEmpty })?.priority else { return nil }
        if let requestedDrain, requestedDrain >= priority { return nil }
        requestedDrain = priority
        return priority
    }

    /// A drain has started.
    mutating func startDrain() { requestedDrain = nil }

    var isEmpty: Bool { threads.isEmpty && lanes.allSatisfy { $0.jobs.isEmpty } }
}
