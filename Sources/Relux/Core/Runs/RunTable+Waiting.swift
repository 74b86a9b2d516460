/// The wait-for graph.
///
/// An edge leads from a run to what it can't end before: from a run to the members of each group that its task awaits,
/// and from a queued run to the runs that are ahead of it in its lane. Edges of the second kind start at runs that have
/// not started and therefore await nothing. A cycle is therefore always closed by a new wait, and checking each new
/// wait finds all of them.
extension RunTable {
    /// Adds a wait of a run's task for a group, unless it could never end.
    ///
    /// - Returns: Nil, or the member of the group that can only end after the run itself. Then nothing was added.
    /// - Complexity: O(1) if the members wait for nothing, otherwise the number of runs that they wait for.
    mutating func wait(_ run: RunID, for group: GroupID) -> RunID? {
        guard runs.contains(run), groups.contains(group) else { return nil }
        for member in members(of: group) where reaches(run, from: member) { return member }
        runs.at(run)?.pointee.waitsFor.append(group)
        groups.at(group)?.pointee.waiters.append(run)
        return nil
    }

    /// Removes a wait of a run's task for a group.
    mutating func stopWaiting(_ run: RunID, for group: GroupID) {
        removeFirst(group, from: run)
        removeFirst(waiter: run, from: group)
    }

    func removeFirst(waiter run: RunID, from group: GroupID) {
        if let found = groups.at(group), let index = found.pointee.waiters.firstIndex(of: run) {
            found.pointee.waiters.remove(at: index)
        }
    }

    /// A run, and all runs that await it, directly or through others.
    func runsAwaiting(_ run: RunID) -> Set<RunID> {
        var found: Set<RunID> = [run]
        var open = [run]
        while let next = open.popLast(), let entry = runs[next] {
            for group in [entry.group] + entry.drains {
                for waiter in groups.at(group)?.pointee.waiters ?? [] where found.insert(waiter).inserted {
                    open.append(waiter)
                }
            }
        }
        return found
    }

    /// The runs that a run can't end before.
    func blockers(of run: RunID) -> [RunID] {
        guard let entry = runs[run] else { return [] }
        switch entry.phase {
        case .pending:
            return []
        case .queued:
            // The runs ahead of it in the queue have not started either, and wait for the same runs.
            let lane = lanes[entry.lane]
            return (lane?.active ?? []) + (lane?.dying ?? [])
        case .active, .dying:
            var blockers: [RunID] = []
            for group in entry.waitsFor { blockers += members(of: group) }
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
}
