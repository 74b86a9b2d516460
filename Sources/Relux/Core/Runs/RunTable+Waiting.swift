/// The wait-for graph.
///
/// An edge leads from a run to what it can't end before:
///
/// - from a run to the members of each group that its task awaits
/// - from a run whose task waits for the store to become idle to all busy runs
/// - from a join to the run that it has joined
/// - from a queued run to the runs that are active or ending in its lane
///
/// Edges of the last two kinds start at runs that have not started and therefore await nothing. A deadlock is therefore
/// always closed by a new wait, and checking each new wait finds all of them.
///
/// A queued run needs only as many of the other runs to end as its limit asks for. A cycle is then necessary for a
/// deadlock, but not sufficient: ``stuckRuns(from:)`` decides.
extension RunTable {
    /// Adds a wait of a run's task for a group, unless it could never end.
    ///
    /// - Returns: Nil, or the member of the group that can only end after the run itself. Then nothing was added.
    /// - Complexity: O(1) if the members wait for nothing, otherwise the number of runs that they wait for.
    mutating func wait(_ run: RunID, for group: Completion) -> RunID? {
        guard let found = runs[run], group.entry.isOpen else { return nil }
        let members = members(of: group)
        let isInCycle = members.contains { reaches(run, from: $0) }
        found.entry.waitsFor.append(group)
        if isInCycle {
            let stuck = stuckRuns(from: run)
            if stuck.contains(run), let blocker = members.first(where: { stuck.contains($0) }) {
                removeFirst(group, from: run)
                return blocker
            }
        }
        group.entry.waiters.append(run)
        return nil
    }

    /// Removes a wait of a run's task for a group.
    mutating func stopWaiting(_ run: RunID, for group: Completion) {
        removeFirst(group, from: run)
        removeFirst(waiter: run, from: group)
    }

    func removeFirst(waiter run: RunID, from group: Completion) {
        if let index = group.entry.waiters.firstIndex(of: run) { group.entry.waiters.remove(at: index) }
    }

    /// Adds a wait of a run's task for the store to become idle, unless that could never happen.
    ///
    /// - Returns: Whether it was added.
    /// - Complexity: O(n) in the number of busy runs and of those that they wait for.
    mutating func waitForIdleness(_ run: RunID) -> Bool {
        guard runs.contains(run) else { return true }
        idleWaits.set(run, to: (idleWaits[run] ?? 0) + 1)
        guard stuckRuns(from: run).contains(run) else { return true }
        stopWaitingForIdleness(run)
        return false
    }

    /// Removes a wait of a run's task for the store to become idle.
    mutating func stopWaitingForIdleness(_ run: RunID) {
        guard let count = idleWaits[run] else { return }
        if count > 1 { idleWaits.set(run, to: count - 1) } else { idleWaits.remove(run) }
    }

    /// A run, and all runs that await it, directly or through others. Those who joined it are among them.
    func runsAwaiting(_ run: RunID) -> Set<RunID> { runsAwaiting(run, orPerformingIt: false) }

    /// A run, the runs that await it, and the runs that perform these.
    ///
    /// A run that awaits its `perform` by way of an unstructured task has no edge in the graph, so it is known only as
    /// the performer, for as long as somebody awaits what it performs.
    func runsOutlasting(_ run: RunID) -> Set<RunID> { runsAwaiting(run, orPerformingIt: true) }

    private func runsAwaiting(_ run: RunID, orPerformingIt includesPerformers: Bool) -> Set<RunID> {
        var found: Set<RunID> = [run]
        var open = [run]
        while let next = open.popLast(), let entry = runs[next] {
            for group in (entry.entry.group.map { [$0] } ?? []) + entry.entry.drains {
                for waiter in group.entry.waiters where found.insert(waiter).inserted { open.append(waiter) }
            }
            for join in joins(of: next) where found.insert(join).inserted { open.append(join) }
            guard includesPerformers, let parent = entry.entry.parent, entry.entry.group?.entry.isOpen == true else {
                continue
            }
            if found.insert(parent).inserted { open.append(parent) }
        }
        return found
    }

    /// The runs that a run waits for. If it is queued, it may not need all of them to end.
    func blockers(of run: RunID) -> [RunID] {
        guard let entry = runs[run] else { return [] }
        switch entry.entry.phase {
        case .pending, .absent:
            return []
        case .queued:
            // The runs ahead of it in the queue have not started either, and wait for the same runs.
            guard let lane = lanes.at(entry.entry.lane) else { return [] }
            return lane.pointee.active.sorted + lane.pointee.dying.sorted
        case .joined:
            return joined[run].map { [$0] } ?? []
        case .active, .dying:
            var blockers: [RunID] = []
            for group in entry.entry.waitsFor { blockers += members(of: group) }
            if !idleWaits.isEmpty, idleWaits.contains(run) { blockers += runs.keys { $0.isBusy } }
            return blockers
        }
    }

    private func reaches(_ target: RunID, from start: RunID) -> Bool {
        if start == target { return true }
        var seen: Set<RunID> = [start]
        var open = [start]
        while let next = open.popLast() {
            for blocker in blockers(of: next) {
                if blocker == target { return true }
                if seen.insert(blocker).inserted { open.append(blocker) }
            }
        }
        return false
    }

    /// Those of the runs that a run waits for, directly or through others, that can never end; including itself.
    ///
    /// The greatest set in which each run needs another one of the set to end first. It is found by removing, again and
    /// again, the runs that can end without the others.
    private func stuckRuns(from start: RunID) -> Set<RunID> {
        var stuck: Set<RunID> = [start]
        var open = [start]
        while let next = open.popLast() {
            for blocker in blockers(of: next) where stuck.insert(blocker).inserted { open.append(blocker) }
        }
        while true {
            let ending = stuck.filter { !isStuck($0, among: stuck) }
            guard !ending.isEmpty else { return stuck }
            stuck.subtract(ending)
        }
    }

    /// Whether a run can end only after one of the given runs.
    private func isStuck(_ run: RunID, among stuck: Set<RunID>) -> Bool {
        let stuckCount = blockers(of: run).count { stuck.contains($0) }
        guard let entry = runs[run], entry.entry.phase == .queued, let lane = lanes.at(entry.entry.lane)
        else {
            return stuckCount > 0
        }
        // Runs that have not started wait for nothing else. They all start and end if those ahead leave enough room.
        var limit = entry.policy.kind.limit
        for ahead in lane.pointee.queue.elements {
            if ahead == run { break }
            limit = min(limit, runs[ahead]?.policy.kind.limit ?? limit)
        }
        return stuckCount >= limit
    }
}
