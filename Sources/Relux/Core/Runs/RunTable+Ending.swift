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
            groups.at(group)?.pointee.summary.receivesFailure(of: kind) != true,
            !joinsReceiveFailure(of: run)
        {
            unreceivedError = error
        }
        note(effective, of: kind, in: group)
        var changes = Changes()
        endJoins(of: run, effective, &changes)
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
        holdsStarts = true
        for target in targets { halt(target, as: .cancelled, sparing: spared, &changes) }
        releaseStarts(&changes)
        return changes
    }

    /// Cancels runs for one of those who wait for them. A run for which others wait, because they joined it, continues.
    mutating func withdraw(_ targets: [RunID]) -> Changes {
        var changes = Changes()
        holdsStarts = true
        for target in joinsFirst(targets) { halt(target, as: .cancelled, withdrawing: true, &changes) }
        releaseStarts(&changes)
        return changes
    }

    /// Cancels the members of a group, because the task that awaits it was cancelled.
    ///
    /// It does nothing if a member superseded the very run that performs it: the end of that run is then what cancelled
    /// the task.
    mutating func cancel(group: GroupID) -> Changes {
        groups.at(group)?.pointee.isOrphaned == true ? Changes() : withdraw(members(of: group))
    }

    /// The current members of a group.
    func members(of group: GroupID) -> [RunID] {
        groups.at(group)?.pointee.members.sorted ?? []
    }

    /// Halts a run and cancels its children first, with an explicit stack: a chain of performs may be of any length.
    ///
    /// - Parameter withdrawing: Whether the run continues if others have joined it. This always applies to children.
    mutating func halt(
        _ run: RunID, as ending: RunEnding, sparing spared: Set<RunID> = [], withdrawing: Bool = false,
        _ changes: inout Changes
    ) {
        guard let root = startHalt(run, as: ending, sparing: spared, withdrawing: withdrawing, &changes) else {
            return
        }
        guard !root.children.isEmpty else { return finishHalt(root, &changes) }
        var path = [root]
        while var current = path.popLast() {
            if let child = current.children.popLast() {
                path.append(current)
                if let next = startHalt(child, as: .cancelled, sparing: spared, withdrawing: true, &changes) {
                    path.append(next)
                }
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
        /// The children that are still to be halted, in reverse order.
        var children: [RunID]
    }

    /// - Returns: The run to halt: nil if it continues, or the run that a join was the last to wait for.
    private mutating func startHalt(
        _ run: RunID, as ending: RunEnding, sparing spared: Set<RunID>, withdrawing: Bool, _ changes: inout Changes
    ) -> OpenHalt? {
        guard let found = runs.at(run), !spared.contains(run) else { return nil }
        let hadStarted = found.pointee.phase == .active
        let children = found.pointee.children
        switch found.pointee.phase {
        case .dying:
            return nil
        case .joined:
            guard let target = endJoin(run, as: ending, &changes) else { return nil }
            return startHalt(target, as: .cancelled, sparing: spared, withdrawing: false, &changes)
        case .pending, .queued, .active:
            if withdrawing, joins.contains(run) {
                disown(run, &changes)
                return nil
            }
        }
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
            children: children.isEmpty ? [] : joinsFirst(children.sorted).reversed()
        )
    }

    private mutating func finishHalt(_ halt: OpenHalt, _ changes: inout Changes) {
        guard let found = runs.at(halt.run) else { return }
        let (work, kind, group) = (found.pointee.work, found.pointee.kind, found.pointee.group)
        changes.halts.append(Halt(run: halt.run, work: work, ending: halt.ending, hadStarted: halt.hadStarted))
        guard !halt.hadStarted else { return }
        note(RunResult(halt.ending), of: kind, in: group)
        endJoins(of: halt.run, RunResult(halt.ending), &changes)
        remove(halt.run, &changes)
    }

    @discardableResult
    mutating func remove(_ run: RunID, _ changes: inout Changes) -> Run? {
        guard let removed = runs.remove(run) else { return nil }
        forget(run, in: removed.scope)
        if removed.isBusy { busyCount -= 1 }
        if case .dying = removed.phase { dyingCount -= 1 }
        if let parent = removed.parent { runs.at(parent)?.pointee.children.remove(run) }
        if !removed.children.isEmpty {
            for child in removed.children.sorted { runs.at(child)?.pointee.parent = nil }
        }
        for group in removed.waitsFor { removeFirst(waiter: run, from: group) }
        if !idleWaits.isEmpty { idleWaits.remove(run) }
        if removed.lane != 0 { leaveLane(run, removed.lane, removed.phase, &changes) }
        leaveGroup(removed.group, run, &changes)
        for group in removed.drains { leaveGroup(group, run, &changes) }
        return removed
    }

    mutating func leaveGroup(_ group: GroupID, _ run: RunID, _ changes: inout Changes) {
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
        case .joined: break
        }
        if !lane.pointee.queue.isEmpty { startQueued(in: id, &changes) }
        if lane.pointee.isUnused, lane.pointee.windowEnd == nil, id != enteredLane { removeLane(id) }
    }
}
