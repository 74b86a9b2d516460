/// Who waits for whom.
///
/// An edge leads from a run to what it can't end before: from a run to the members of each group that its task awaits,
/// and from a queued run to the ones that its lane lets go first. Edges of the second kind lead out of runs that
/// haven't started and so await nothing: it is always a new wait that closes a circle, and asking then finds them all.
extension RunTable {
    /// Notes that the task of a run awaits a group, unless that could never end.
    ///
    /// - Returns: nil, or the member of the group that can only end after the run itself. Nothing is noted then.
    /// - Complexity: O(1) where the members wait for nothing, else the number of runs that they wait for.
    mutating func wait(_ run: RunID, for group: GroupID) -> RunID? {
        guard runs.contains(run), groups.contains(group) else { return nil }
        for member in members(of: group) where reaches(run, from: member) { return member }
        runs.at(run)?.pointee.waitsFor.append(group)
        groups.at(group)?.pointee.waiters.append(run)
        return nil
    }

    /// Notes that the task of a run doesn't await a group any more.
    mutating func stopWaiting(_ run: RunID, for group: GroupID) {
        removeFirst(group, from: run)
        removeFirst(waiter: run, from: group)
    }

    func removeFirst(waiter run: RunID, from group: GroupID) {
        if let found = groups.at(group), let index = found.pointee.waiters.firstIndex(of: run) {
            found.pointee.waiters.remove(at: index)
        }
    }

    /// A run and all the runs that await it, directly or through others.
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

    /// What a run can't end before.
    func blockers(of run: RunID) -> [RunID] {
        guard let entry = runs[run] else { return [] }
        switch entry.phase {
        case .pending:
            return []
        case .queued:
            // Those before it in the queue have not started, and wait for the same runs.
            let lane = lanes[LaneKey(responder: entry.responder, id: entry.policy.id)]
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
