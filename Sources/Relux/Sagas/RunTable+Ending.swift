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
        groups[group]?.isOrphaned == true ? Changes() : cancel(members(of: group))
    }

    /// The runs of a group that are still there.
    func members(of group: GroupID) -> [RunID] {
        groups[group]?.members.sorted() ?? []
    }

    mutating func halt(
        _ run: RunID, as ending: Ending, sparing spared: Set<RunID> = [], _ changes: inout Changes
    ) {
        guard let entry = runs[run], !spared.contains(run) else { return }
        if case .dying = entry.phase { return }
        let hadStarted = entry.phase == .active
        if hadStarted {
            runs[run]?.phase = .dying(ending)
            if entry.policy.kind != .concurrent {
                let key = LaneKey(responder: entry.responder, id: entry.policy.id)
                lanes[key]?.active.removeAll { $0 == run }
                lanes[key]?.dying.append(run)
            }
        }
        // What a dying run performs can't come back to it: marking it first ends the recursion in any case.
        for child in entry.children.sorted() { halt(child, as: .cancelled, sparing: spared, &changes) }
        changes.halted.append(Halt(run: run, ending: ending, hadStarted: hadStarted))
        if !hadStarted { remove(run, &changes) }
    }

    private mutating func remove(_ run: RunID, _ changes: inout Changes) {
        guard let entry = runs.removeValue(forKey: run) else { return }
        if !entry.isWatcher { busyCount -= 1 }
        if let parent = entry.parent { runs[parent]?.children.remove(run) }
        for child in entry.children { runs[child]?.parent = nil }
        for group in entry.waitsFor {
            if let index = groups[group]?.waiters.firstIndex(of: run) { groups[group]?.waiters.remove(at: index) }
        }
        leaveLane(run, entry, &changes)
        for group in [entry.group] + entry.drains {
            groups[group]?.members.remove(run)
            completeIfEmpty(group, &changes)
        }
    }

    private mutating func leaveLane(_ run: RunID, _ entry: Run, _ changes: inout Changes) {
        guard entry.policy.kind != .concurrent else { return }
        let key = LaneKey(responder: entry.responder, id: entry.policy.id)
        guard var lane = lanes.removeValue(forKey: key) else { return }
        switch entry.phase {
        case .pending: if lane.pending == run { lane.pending = nil }
        case .queued: lane.queue.removeAll { $0 == run }
        case .active: lane.active.removeAll { $0 == run }
        case .dying: lane.dying.removeAll { $0 == run }
        }
        if lane.active.isEmpty, lane.dying.isEmpty, let next = lane.queue.popFirst() {
            runs[next]?.phase = .active
            lane.active.append(next)
            changes.starts.append(next)
        }
        if !lane.isUnused || lane.windowEnd != nil { lanes[key] = lane }
    }
}
