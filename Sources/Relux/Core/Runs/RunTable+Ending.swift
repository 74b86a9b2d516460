/// How runs end: by themselves, or halted together with what they perform.
extension RunTable {
    /// What became of a run whose task has ended.
    struct Ended: ~Copyable, Sendable {
        let work: Work
        let result: RunResult
        /// An error that was thrown after the run was halted, and that its result therefore hides.
        let lateError: (any Error)?
        /// The failure, if no awaiter receives it.
        let unreceivedError: (any Error)?
        let changes: Changes
    }

    /// Removes a run whose task has ended.
    ///
    /// - Returns: Nil if the run was removed before.
    mutating func end(_ run: RunID, _ result: RunResult) -> Ended? {
        guard let found = runs.at(run) else { return nil }
        let (kind, group) = (found.pointee.kind, found.pointee.group)
        var effective = result
        var lateError: (any Error)?
        if case .dying(let ending) = found.pointee.phase {
            effective = RunResult(ending)
            lateError = result.lateError
        }
        var unreceivedError: (any Error)?
        if case .failed(let error) = effective,
            groups.at(group)?.pointee.summary.receivesFailure(of: kind) != true
        {
            unreceivedError = error
        }
        note(effective, of: kind, in: group)
        var changes = Changes()
        guard let removed = remove(run, &changes) else { return nil }
        return Ended(
            work: removed.work, result: effective, lateError: lateError, unreceivedError: unreceivedError,
            changes: changes
        )
    }

    /// Cancels runs and what they perform, down the tree: children before their parents, in the order of their starts.
    ///
    /// A run that has not started is removed. One that has can't write any more, and stays until its task has ended.
    ///
    /// - Parameters:
    ///   - targets: The runs to cancel.
    ///   - spared: Runs that continue, even if a parent of theirs is among the targets.
    /// - Complexity: O(n log n) in the number of runs that are cancelled.
    mutating func cancel(_ targets: some Sequence<RunID>, sparing spared: Set<RunID> = []) -> Changes {
        var changes = Changes()
        for target in targets { halt(target, as: .cancelled, sparing: spared, &changes) }
        return changes
    }

    /// Cancels the members of a group, because the task that awaits it was cancelled.
    ///
    /// It does nothing if a member superseded the very run that performs it: the end of that run is then what cancelled
    /// the task.
    mutating func cancel(group: GroupID) -> Changes {
        groups.at(group)?.pointee.isOrphaned == true ? Changes() : cancel(members(of: group))
    }

    /// The current members of a group.
    func members(of group: GroupID) -> [RunID] {
        groups.at(group)?.pointee.members.sorted ?? []
    }

    /// Halts a run and cancels its children first, with an explicit stack: a chain of performs may be of any length.
    mutating func halt(
        _ run: RunID, as ending: RunEnding, sparing spared: Set<RunID> = [], _ changes: inout Changes
    ) {
        guard let root = startHalt(run, as: ending, sparing: spared) else { return }
        guard !root.children.isEmpty else { return finishHalt(root, &changes) }
        var path = [root]
        while var current = path.popLast() {
            if let child = current.children.popLast() {
                path.append(current)
                if let next = startHalt(child, as: .cancelled, sparing: spared) { path.append(next) }
            } else {
                finishHalt(current, &changes)
            }
        }
    }

    /// A run that is being halted.
    private struct OpenHalt {
        let run: RunID
        let ending: RunEnding
        let hadStarted: Bool
        /// The children that are still to be halted, in descending order.
        var children: [RunID]
    }

    private mutating func startHalt(_ run: RunID, as ending: RunEnding, sparing spared: Set<RunID>) -> OpenHalt? {
        guard let found = runs.at(run), !spared.contains(run) else { return nil }
        if case .dying = found.pointee.phase { return nil }
        let hadStarted = found.pointee.phase == .active
        let children = found.pointee.children
        // Marked before the children, so that each run is halted once, whatever the tree looks like.
        if hadStarted {
            found.pointee.phase = .dying(ending)
            dyingCount += 1
            if let lane = lanes.at(found.pointee.lane) {
                lane.pointee.active.removeAll { $0 == run }
                lane.pointee.dying.append(run)
            }
        }
        return OpenHalt(
            run: run, ending: ending, hadStarted: hadStarted,
            children: children.isEmpty ? [] : children.sorted.reversed()
        )
    }

    private mutating func finishHalt(_ halt: OpenHalt, _ changes: inout Changes) {
        guard let found = runs.at(halt.run) else { return }
        let (work, kind, group) = (found.pointee.work, found.pointee.kind, found.pointee.group)
        changes.halts.append(Halt(run: halt.run, work: work, ending: halt.ending, hadStarted: halt.hadStarted))
        guard !halt.hadStarted else { return }
        note(RunResult(halt.ending), of: kind, in: group)
        remove(halt.run, &changes)
    }

    @discardableResult
    private mutating func remove(_ run: RunID, _ changes: inout Changes) -> Run? {
        guard let removed = runs.remove(run) else { return nil }
        if removed.kind != .watcher { busyCount -= 1 }
        if case .dying = removed.phase { dyingCount -= 1 }
        if let parent = removed.parent { runs.at(parent)?.pointee.children.remove(run) }
        if !removed.children.isEmpty {
            for child in removed.children.sorted { runs.at(child)?.pointee.parent = nil }
        }
        for group in removed.waitsFor { removeFirst(waiter: run, from: group) }
        if removed.lane != 0 { leaveLane(run, removed.lane, removed.phase, &changes) }
        leaveGroup(removed.group, run, &changes)
        for group in removed.drains { leaveGroup(group, run, &changes) }
        return removed
    }

    private mutating func leaveGroup(_ group: GroupID, _ run: RunID, _ changes: inout Changes) {
        groups.at(group)?.pointee.members.remove(run)
        removeIfComplete(group, &changes)
    }

    private mutating func leaveLane(_ run: RunID, _ id: LaneID, _ phase: RunPhase, _ changes: inout Changes) {
        guard let lane = lanes.at(id) else { return }
        switch phase {
        case .pending: if lane.pointee.pending == run { lane.pointee.pending = nil }
        case .queued: lane.pointee.queue.remove(run)
        case .active: lane.pointee.active.removeAll { $0 == run }
        case .dying: lane.pointee.dying.removeAll { $0 == run }
        }
        if lane.pointee.active.isEmpty, lane.pointee.dying.isEmpty, let next = lane.pointee.queue.popFirst(),
            let found = runs.at(next)
        {
            found.pointee.phase = .active
            lane.pointee.active.append(next)
            changes.starts.append(Start(run: next, work: found.pointee.work))
        }
        if lane.pointee.isUnused, lane.pointee.windowEnd == nil, id != enteredLane { removeLane(id) }
    }
}
