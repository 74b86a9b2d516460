/// How runs end: by themselves, or halted together with what they perform.
extension RunTable {
    /// What became of a run whose task has ended.
    struct Ended {
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
    mutating func end(_ id: RunID, _ result: RunResult) -> Ended? {
        guard let run = runs.removeValue(forKey: id) else { return nil }
        var effective = result
        var lateError: (any Error)?
        if case .dying(let ending) = run.phase, ending != .byItself {
            effective = RunResult(ending)
            lateError = result.error
        }
        let isReceived =
            effective.error != nil
            && run.triggers.elements.contains { trigger in
                let isAnswer = trigger.handle.isAnswering
                return !trigger.isAside && groups[trigger.group]?.summary.receivesFailure(isAnswer: isAnswer) == true
            }
        var changes = Changes()
        close(run, effective, &changes)
        return Ended(
            result: effective, lateError: lateError, unreceivedError: isReceived ? nil : effective.error,
            changes: changes
        )
    }

    /// Cancels triggers, and what their runs perform, down the tree: children before their parents, in the order of
    /// their starts.
    ///
    /// A run that has not started is removed. One that has can't write any more, and stays until its task has ended. A
    /// trigger that has joined a run leaves it, and the run goes with the last of them.
    ///
    /// - Parameters:
    ///   - targets: What to cancel.
    ///   - spared: Runs that continue, even if a parent of theirs is among the targets.
    ///   - origin: The run that closes its own instance in this way; 0 if none does. It and those that await it still
    ///     end as their bodies do.
    /// - Complexity: O(n log n) in the number of runs that are cancelled.
    mutating func cancel(
        _ targets: some Sequence<RunID>, sparing spared: Set<RunID> = [], by origin: RunID = 0
    ) -> Changes {
        var changes = Changes()
        holdsStarts = true
        resultKeepers = origin == 0 ? [] : runsAwaiting(origin, orPerformingIt: true)
        defer { resultKeepers = [] }
        for target in targets { halt(target, as: .cancelled, sparing: spared, &changes) }
        releaseStarts(&changes)
        return changes
    }

    /// Withdraws the triggers of a group, because the task that awaits it was cancelled. Runs for which others wait
    /// continue.
    ///
    /// It does nothing if a member superseded the very run that performs it: the end of that run is then what cancelled
    /// the task.
    mutating func cancel(group: GroupID) -> Changes {
        groups[group]?.isOrphaned == true ? Changes() : withdraw(group)
    }

    /// Fulfils a group now, and withdraws its triggers.
    mutating func abandon(_ group: GroupID, _ note: (inout GroupSummary) -> Void) -> Changes {
        updateSummary(of: group, note)
        var changes = withdraw(group)
        dissolve(group, &changes)
        return changes
    }

    private mutating func withdraw(_ group: GroupID) -> Changes {
        var changes = Changes()
        holdsStarts = true
        let targets = members(of: group).filter { trigger($0)?.isAside != true }
        for target in joinsFirst(targets) { halt(target, as: .cancelled, withdrawing: true, &changes) }
        releaseStarts(&changes)
        return changes
    }

    /// Triggers in the order in which they are withdrawn: a run that nobody else has joined then ends as usual.
    private func joinsFirst(_ targets: [RunID]) -> [RunID] {
        guard targets.count > 1, !joined.isEmpty else { return targets }
        return targets.filter { joined[$0] != nil } + targets.filter { joined[$0] == nil }
    }

    /// Halts a run and cancels its children first, with an explicit stack: a chain of performs may be of any length.
    ///
    /// - Parameter withdrawing: Whether the run continues if others have joined it. This always applies to children.
    mutating func halt(
        _ id: RunID, as ending: RunEnding, sparing spared: Set<RunID> = [], withdrawing: Bool = false,
        _ changes: inout Changes
    ) {
        guard let first = startHalt(id, as: ending, sparing: spared, withdrawing: withdrawing, &changes) else { return }
        var path = [first]
        while var current = path.popLast() {
            guard let child = current.children.popLast() else {
                finishHalt(current, &changes)
                continue
            }
            path.append(current)
            if let next = startHalt(child, as: .cancelled, sparing: spared, withdrawing: true, &changes) {
                path.append(next)
            }
        }
    }

    /// A run that is being halted.
    private struct OpenHalt {
        let run: RunID
        let halt: Halt
        /// The children that are still to be halted, in reverse order.
        var children: [RunID]
    }

    /// - Returns: The run to halt; nil if it continues.
    private mutating func startHalt(
        _ id: RunID, as ending: RunEnding, sparing spared: Set<RunID>, withdrawing: Bool, _ changes: inout Changes
    ) -> OpenHalt? {
        let target = joined[id] ?? id
        if spared.contains(id) || spared.contains(target) { return nil }
        if case .dying? = runs[target]?.phase { return nil }
        if target != id || withdrawing, withdraw(id, from: target, as: ending, &changes) { return nil }
        guard let run = runs[target] else { return nil }
        let hadStarted = run.phase == .active
        let ending = hadStarted && ending == .cancelled && resultKeepers.contains(target) ? .byItself : ending
        // Marked before the children, so that each run is halted once, whatever the tree looks like.
        if hadStarted {
            runs[target]?.phase = .dying(ending)
            lanes[run.lane]?.active.remove(target)
            lanes[run.lane]?.dying.insert(target)
        }
        return OpenHalt(
            run: target,
            halt: Halt(handle: run.handle, runner: run.runner, ending: ending, hadStarted: hadStarted),
            children: joinsFirst(run.children.sorted()).reversed()
        )
    }

    /// Takes a trigger away from a run for which others wait.
    ///
    /// - Returns: Whether others do.
    private mutating func withdraw(
        _ id: RunID, from run: RunID, as ending: RunEnding, _ changes: inout Changes
    ) -> Bool {
        guard let count = runs[run]?.triggers.count, count > 1, let trigger = runs[run]?.triggers.remove(id) ?? nil
        else { return false }
        note(RunResult(ending), of: trigger)
        forget(trigger, &changes)
        return true
    }

    private mutating func finishHalt(_ open: OpenHalt, _ changes: inout Changes) {
        guard runs[open.run] != nil else { return }
        changes.halts.append(open.halt)
        if open.halt.hadStarted {
            changes.endedWaits += runs[open.run]?.waits.removeAll() ?? []
        } else {
            if let run = runs.removeValue(forKey: open.run) { close(run, RunResult(open.halt.ending), &changes) }
        }
    }

    /// Ends the triggers of a run that was removed, the one that started it last.
    private mutating func close(_ run: consuming Run, _ result: RunResult, _ changes: inout Changes) {
        let id = run.handle.id
        for child in run.children {
            guard var trigger = trigger(child) else { continue }
            trigger.parent = nil
            _ = runs[joined[child] ?? child]?.triggers.replace(child, with: trigger)
        }
        for group in run.waitsFor.keys { groups[group]?.waiters[id] = nil }
        if run.idleWaits > 0 { idlerCount -= 1 }
        changes.endedWaits += run.waits.removeAll()
        leaveLane(id, run, &changes)
        let own = run.triggers.remove(id)
        for trigger in run.triggers.elements + [own].compactMap({ $0 }) {
            note(result, of: trigger)
            forget(trigger, &changes)
        }
        for group in run.drains { leave(group, id, &changes) }
    }

    private mutating func leaveLane(_ id: RunID, _ run: Run, _ changes: inout Changes) {
        guard run.lane != 0 else { return }
        switch run.phase {
        case .pending: if lanes[run.lane]?.pending == id { lanes[run.lane]?.pending = nil }
        case .queued: lanes[run.lane]?.queue.remove(id)
        case .active: lanes[run.lane]?.active.remove(id)
        case .dying: lanes[run.lane]?.dying.remove(id)
        }
        if lanes[run.lane]?.queue.isEmpty == false { startQueued(in: run.lane, &changes) }
        if let lane = lanes[run.lane], lane.isUnused, lane.windowEnd == nil, run.lane != enteredLane {
            removeLane(run.lane)
        }
    }
}
