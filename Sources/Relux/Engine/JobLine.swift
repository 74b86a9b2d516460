/// The jobs that wait for a ``StoreExecutor``: the highest priority first, and first in, first out within a priority.
///
/// A task has at most one job in the line, because it is suspended until that job has run. Priorities therefore never
/// reorder what one task does.
struct JobLine {
    private struct Lane {
        let priority: UInt8
        var jobs = Queue<UnownedJob>()
    }

    /// In descending order of priority. Lanes are kept when they run empty: there are few priorities.
    private var lanes: [Lane] = []

    /// The priority of the drain that was requested and has not started yet; nil if there is none.
    private var requestedDrain: UInt8?

    mutating func append(_ job: UnownedJob, priority: UInt8) {
        if let index = lanes.firstIndex(where: { $0.priority <= priority }) {
            if lanes[index].priority != priority { lanes.insert(Lane(priority: priority), at: index) }
            lanes[index].jobs.append(job)
        } else {
            lanes.append(Lane(priority: priority))
            lanes[lanes.count - 1].jobs.append(job)
        }
    }

    mutating func popFirst() -> UnownedJob? {
        for index in lanes.indices {
            if let job = lanes[index].jobs.popFirst() { return job }
        }
        return nil
    }

    /// The highest priority in the line.
    private var priority: UInt8 { lanes.first { !$0.jobs.isEmpty }?.priority ?? 0 }

    /// Requests a drain, unless one with a sufficient priority is on its way.
    ///
    /// - Returns: The priority with which the caller must start it; nil if it need not.
    mutating func requestDrain() -> UInt8? {
        let priority = priority
        if let requestedDrain, requestedDrain >= priority { return nil }
        requestedDrain = priority
        return priority
    }

    /// A drain has started.
    mutating func startDrain() {
        requestedDrain = nil
    }
}
