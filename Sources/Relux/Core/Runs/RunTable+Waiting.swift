/// The wait-for graph.
///
/// An edge leads from a run or a trigger to what it can't end before:
///
/// - from a run to the members of each group that its task awaits
/// - from a run whose task waits for the store to become idle to all busy runs and triggers
/// - from a trigger that has joined a run to that run
/// - from a queued run to the runs that are active or ending in its lane
///
/// Edges of the last two kinds start at what has not started and therefore awaits nothing. A deadlock is therefore
/// closed by a new wait, or, if a run waits for idleness, by the admission of a trigger that waits for that run.
/// Checking both finds all of them.
///
/// A queued run needs only as many of the other runs to end as its limit asks for. A cycle is then necessary for a
/// deadlock, but not sufficient: ``stuck(from:)`` decides.
extension RunTable {
    /// Adds a wait of a run's task for a group, unless it could never end.
    ///
    /// - Returns: The members of the group that can only end after the run itself, in order. If there are any, nothing
    ///   was added. If the group is idleness, this is the run itself.
    /// - Complexity: O(1) if the members wait for nothing, otherwise the number of runs that they wait for.
    func wait(_ run: Run, for group: Group) -> [Run] {
        guard self[run.id] === run, !group.isComplete else { return [] }
        let members = group.isIdleness ? busy : group.blockers
        let isInCycle = awaited(from: members).contains(run)
        group.addWait(of: run)
        guard isInCycle else { return [] }
        let stuck = stuck(from: run)
        guard stuck.contains(run) else { return [] }
        group.removeWait(of: run)
        return group.isIdleness ? [run] : members.filter { stuck.contains($0) }
    }

    /// Ends the waits for idleness that are vain since a trigger was admitted that can only end after their runs.
    mutating func endVainWaits(behind trigger: Run) {
        guard idlers.contains(where: { !$0.waiters.isEmpty }) else { return }
        for run in stuck(from: trigger).sorted(by: { $0.id < $1.id }) where run.phase.isAtWork {
            for group in run.awaited.elements where group.isIdleness && !group.isComplete {
                group.note { $0.refusal = .serialCycle(waiting: run.record, on: run.record) }
                complete(group)
                report(stuck: run)
            }
        }
    }

    /// A run, and all runs that await it, directly or through others, with the triggers of all of them.
    ///
    /// - Parameter includesPerformers: Whether the runs that perform one of these count, too. A run that awaits its
    ///   `perform` by way of an unstructured task has no edge in the graph, so it is known only as the performer, for
    ///   as long as somebody awaits what it performs.
    func runsAwaiting(_ run: Run, orPerformingIt includesPerformers: Bool = false) -> Set<Run> {
        reached(from: [run]) { next in
            let triggers = next.triggers
            let groups = triggers.compactMap(\.group) + next.drains
            return triggers + groups.flatMap(\.waiters) + (includesPerformers ? triggers.compactMap(\.performer) : [])
        }
    }

    /// The runs and triggers that a run waits for, in order. One that is queued may not need all of them to end.
    func blockers(of run: Run) -> [Run] { edges(from: run).flatMap { $0.runs() } }

    /// Edges that lead to the same runs: those of a lane or a group, the run that a trigger has joined, or what is
    /// busy. The target is the lane, the group, or the run; nil for what is busy.
    private typealias Edges = (target: ObjectIdentifier?, runs: () -> [Run])

    private func edges(from run: Run) -> [Edges] {
        switch run.phase {
        case .pending, .ended: []
        case .joined(let target): [(ObjectIdentifier(target), { [target] })]
        case .queued:
            run.lane.map { lane in [(ObjectIdentifier(lane), { lane.active.sorted + lane.dying.sorted })] } ?? []
        case .active, .finished, .dying:
            // The cancellation of a halted run ends its wait for idleness.
            run.awaited.elements.filter { run.phase.isAtWork || !$0.isIdleness }.map { group in
                group.isIdleness ? (nil, { busy }) : (ObjectIdentifier(group), { group.blockers })
            }
        }
    }

    /// Some runs and triggers, and all that they wait for, directly or through others.
    ///
    /// - Complexity: O(n) in the number of what is found: each lane and group is visited once.
    private func awaited(from start: [Run]) -> Set<Run> {
        var visited: Set<ObjectIdentifier?> = []
        return reached(from: start) { run in
            edges(from: run).filter { visited.insert($0.target).inserted }.flatMap { $0.runs() }
        }
    }

    /// Those of what a run waits for, directly or through others, that can never end; including itself.
    ///
    /// The greatest set in which each needs another one of the set to end first. It is found by removing, again and
    /// again, what can end without the others.
    ///
    /// - Complexity: O(n · d) in the number of these runs, and the length of the longest chain of waits among them.
    private func stuck(from start: Run) -> Set<Run> {
        var stuck = awaited(from: [start])
        let limits = queueLimits(of: stuck)
        while true {
            // How many are stuck in each lane and group, counted once for each.
            var counts: [ObjectIdentifier?: Int] = [:]
            let ending = stuck.filter { run in
                !edges(from: run).contains { edges in
                    let count = counts[edges.target] ?? edges.runs().count { stuck.contains($0) }
                    counts[edges.target] = count
                    return count >= limits[run] ?? 1
                }
            }
            guard !ending.isEmpty else { return stuck }
            stuck.subtract(ending)
        }
    }

    /// For each of some runs that is queued, the number of runs ahead that keeps it from ever starting.
    ///
    /// Runs that have not started wait for nothing else. They all start and end if those ahead leave enough room, so
    /// the smallest limit up to the run counts.
    private func queueLimits(of runs: Set<Run>) -> [Run: Int] {
        var limits: [Run: Int] = [:]
        for run in runs where run.phase == .queued && limits[run] == nil {
            var smallest = Int.max
            for queued in run.lane?.queue.elements ?? [] {
                smallest = min(smallest, queued.policy.kind.limit)
                limits[queued] = smallest
            }
        }
        return limits
    }

    /// Some runs and triggers, and all that are reached from them, directly or through others.
    ///
    /// - Parameter next: Those that are reached directly. Called once for each run.
    func reached(from start: [Run], by next: (Run) -> [Run]) -> Set<Run> {
        var found = Set(start)
        var open = start
        while let run = open.popLast() {
            for other in next(run) where found.insert(other).inserted { open.append(other) }
        }
        return found
    }
}
