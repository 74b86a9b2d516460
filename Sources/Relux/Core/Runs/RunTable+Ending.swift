/// How runs end: by themselves, or cancelled with what they perform.
extension RunTable {
    /// Takes out a run whose task has ended.
    mutating func end(_ run: RunID) -> Changes {
        var changes = Changes()
        remove(run, &changes)
        return changes
    }

    /// Cancels runs, and what they perform, down the tree: children before their parents, in the order of their starts.
    ///
    /// A run that has not started is taken out; one that has may write no more, and stays until its task has ended.
    ///
    /// - Parameters:
    ///   - targets: The runs to cancel.
    ///   - spared: Runs that go on, although a parent of theirs may be among the targets.
    /// - Returns: What there is to do.
    /// - Complexity: O(n log n) in the number of runs that are cancelled.
    mutating func cancel(_ targets: some Sequence<RunID>, sparing spared: Set<RunID> = []) -> Changes {
        var changes = Changes()
        for target in targets { halt(target, as: .cancelled, sparing: spared, &changes) }
        return changes
    }

    /// Cancels what a group waits for, because the task that awaits it was cancelled.
    ///
    /// That does nothing where a member took the place of the very run that performs it: the end of that one is then
    /// what cancelled the task.
    mutating func cancel(group: GroupID) -> Changes {
        groups.at(group)?.pointee.isOrphaned == true ? Changes() : cancel(members(of: group))
    }

    /// The runs of a group that are still there.
    func members(of group: GroupID) -> [RunID] {
        groups.at(group)?.pointee.members.sorted ?? []
    }

    mutating func halt(
        _ run: RunID, as ending: Ending, sparing spared: Set<RunID> = [], _ changes: inout Changes
    ) {
        guard let entry = runs[run], !spared.contains(run) else { return }
        if case .dying = entry.phase { return }
        let hadStarted = entry.phase == .active
        if hadStarted {
            runs.at(run)?.pointee.phase = .dying(ending)
            if let key = entry.lane {
                lanes[key]?.active.removeAll { $0 == run }
                lanes[key]?.dying.append(run)
            }
        }
        // What a dying run performs can't come back to it: marking it first ends the recursion in any case.
        for child in entry.children.sorted { halt(child, as: .cancelled, sparing: spared, &changes) }
        changes.halted.append(Halt(run: run, ending: ending, hadStarted: hadStarted))
        if !hadStarted { remove(run, &changes) }
    }

    private mutating func remove(_ run: RunID, _ changes: inout Changes) {
        guard let removed = runs.take(run) else { return }
        if !removed.isWatcher { busyCount -= 1 }
        if let parent = removed.parent { runs.at(parent)?.pointee.children.remove(run) }
        if !removed.children.isEmpty {
            for child in removed.children.sorted { runs.at(child)?.pointee.parent = nil }
        }
        for group in removed.waitsFor { removeFirst(waiter: run, from: group) }
        if let lane = removed.lane { leaveLane(run, lane, removed.phase, &changes) }
        leave(removed.group, run, &changes)
        for group in removed.drains { leave(group, run, &changes) }
    }

    private mutating func leave(_ group: GroupID, _ run: RunID, _ changes: inout Changes) {
        groups.at(group)?.pointee.members.remove(run)
        completeIfEmpty(group, &changes)
    }

    private mutating func leaveLane(_ run: RunID, _ key: LaneKey, _ phase: Phase, _ changes: inout Changes) {
        guard var lane = lanes.removeValue(forKey: key) else { return }
        switch phase {
        case .pending: if lane.pending == run { lane.pending = nil }
        case .queued: lane.queue.remove(run)
        case .active: lane.active.removeAll { $0 == run }
        case .dying: lane.dying.removeAll { $0 == run }
        }
        if lane.active.isEmpty, lane.dying.isEmpty, let next = lane.queue.popFirst() {
            runs.at(next)?.pointee.phase = .active
            lane.active.append(next)
            changes.starts.append(next)
        }
        if !lane.isUnused || lane.windowEnd != nil { lanes[key] = lane }
    }
}
