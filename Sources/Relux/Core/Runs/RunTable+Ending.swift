/// How runs end: by themselves, or halted together with what they perform.
extension RunTable {
    /// What became of a run whose task has ended.
    struct Ended {
        let outcome: Relux.RunOutcome
        /// An error that was thrown after the run was halted, and that its outcome therefore hides.
        let lateError: (any Error)?
        /// The failure, if no awaiter receives it.
        let unreceivedError: (any Error)?
        let changes: Changes
    }

    /// Removes a run whose task has ended.
    ///
    /// - Returns: Nil if the run was removed before.
    mutating func end(_ id: RunID, _ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil) -> Ended? {
        guard let run = runs.removeValue(forKey: id) else { return nil }
        var effective = outcome
        var lateError: (any Error)?
        if case .dying(let ending) = run.phase, ending != .byItself {
            (effective, lateError) = (ending.outcome, outcome.error)
        }
        let isReceived =
            effective.error != nil
            && run.triggers.elements.contains { trigger in
                let isAnswer = trigger.handle.isAnswering
                return !trigger.isAside && groups[trigger.group]?.summary.receivesFailure(isAnswer: isAnswer) == true
            }
        close(run, effective, output)
        return Ended(
            outcome: effective, lateError: lateError, unreceivedError: isReceived ? nil : effective.error,
            changes: endTransition()
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
        let keepers = origin == 0 ? [] : runsAwaiting(origin, orPerformingIt: true)
        for target in targets { halt(target, as: .cancelled, sparing: spared, keepingResultsOf: keepers) }
        return endTransition()
    }

    /// Withdraws the triggers of a group, because the task that awaits it was cancelled. Runs for which others wait
    /// continue.
    ///
    /// It does nothing if a member superseded the very run that performs it: the end of that run is then what cancelled
    /// the task.
    mutating func cancel(group: GroupID) -> Changes {
        if groups[group]?.isOrphaned != true { withdraw(group) }
        return endTransition()
    }

    /// Fulfils a group now, and withdraws its triggers.
    mutating func abandon(_ group: GroupID, _ note: (inout GroupSummary) -> Void) -> Changes {
        updateSummary(of: group, note)
        withdraw(group)
        dissolve(group)
        return endTransition()
    }

    private mutating func withdraw(_ group: GroupID) {
        let targets = members(of: group).filter { trigger($0)?.isAside != true }
        // A run that others of the group have joined is halted when those have left it.
        for target in targets.filter({ joined[$0] != nil }) + targets.filter({ joined[$0] == nil }) {
            halt(target, as: .cancelled, withdrawing: true)
        }
    }

    /// Halts a run, and cancels its children first, in the order of their starts.
    ///
    /// With a stack of its own, because a chain of performs may be of any length. It finds each run before those that
    /// this performs, the last of them first, so that triggers that have joined a run leave before the one that started
    /// it.
    ///
    /// - Parameters:
    ///   - keepers: The runs that still end as their bodies do.
    ///   - withdrawing: Whether the run continues if others have joined it. This always applies to children.
    mutating func halt(
        _ id: RunID, as ending: RunEnding, sparing spared: Set<RunID> = [],
        keepingResultsOf keepers: Set<RunID> = [], withdrawing: Bool = false
    ) {
        var open = [(id: id, ending: ending, withdrawing: withdrawing)]
        var halts: [(run: Run, ending: RunEnding, hadStarted: Bool)] = []
        while let (id, ending, withdrawing) = open.popLast() {
            let target = joined[id] ?? id
            if spared.contains(id) || spared.contains(target) { continue }
            guard let run = runs[target] else { continue }
            if case .dying = run.phase { continue }
            if target != id || withdrawing, withdraw(id, from: run, as: ending) { continue }
            let hadStarted = run.phase == .active
            let ending = hadStarted && ending == .cancelled && keepers.contains(target) ? .byItself : ending
            leaveLane(run)
            // Marked before the children, so that each run is halted once, whatever the tree looks like.
            run.phase = .dying(ending)
            if hadStarted { run.lane?.dying.insert(target) }
            halts.append((run, ending, hadStarted))
            open += run.children.sorted().map { ($0, .cancelled, true) }
        }
        for halt in halts.reversed() {
            changes.halts.append(halt)
            if halt.hadStarted {
                changes.endedWaits += halt.run.waits.removeAll()
            } else {
                runs[halt.run.handle.id] = nil
                close(halt.run, halt.ending.outcome)
            }
        }
    }

    /// Takes a trigger away from a run for which others wait.
    ///
    /// - Returns: Whether others do.
    private mutating func withdraw(_ id: RunID, from run: Run, as ending: RunEnding) -> Bool {
        guard run.triggers.count > 1, let trigger = run.triggers.remove(id) else { return false }
        note(ending.outcome, of: trigger)
        forget(trigger)
        return true
    }

    /// Ends the triggers of a run that was removed, the one that started it last.
    private mutating func close(_ run: Run, _ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil) {
        let id = run.handle.id
        for child in run.children { trigger(child)?.parent = nil }
        for group in run.waitsFor.keys { groups[group]?.waiters[id] = nil }
        changes.endedWaits += run.waits.removeAll()
        leaveLane(run)
        let own = run.triggers.remove(id)
        for trigger in run.triggers.elements + [own].compactMap({ $0 }) {
            note(outcome, output, of: trigger)
            forget(trigger)
        }
        for group in run.drains { leave(group, id) }
    }

    private mutating func leaveLane(_ run: Run) {
        guard let lane = run.lane else { return }
        let id = run.handle.id
        switch run.phase {
        case .pending: lane.pending = nil
        case .queued: lane.queue.remove(id)
        case .active: lane.active.remove(id)
        case .dying: lane.dying.remove(id)
        }
        leftLanes.append(lane)
    }
}
