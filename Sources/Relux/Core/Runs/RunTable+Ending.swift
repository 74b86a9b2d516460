/// How runs end: by themselves, or halted together with what they perform.
extension RunTable {
    /// What became of a run whose task has ended.
    struct Ended: ~Copyable, Sendable {
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
    mutating func end(_ run: RunHandle, _ result: RunResult) -> Ended? {
        guard run.entry.phase != .absent else { return nil }
        let (kind, group) = (run.kind, run.entry.group)
        var effective = result
        var lateError: (any Error)?
        if case .dying(let ending) = run.entry.phase {
            effective = RunResult(ending)
            lateError = result.lateError
        }
        var unreceivedError: (any Error)?
        if case .failed(let error) = effective, !receivesFailure(of: kind, group), !joinsReceiveFailure(of: run.id) {
            unreceivedError = error
        }
        note(effective, of: kind, in: group)
        var changes = Changes()
        if !joins.isEmpty { endJoins(of: run.id, effective, &changes) }
        remove(run, &changes)
        return Ended(
            result: effective, lateError: lateError, unreceivedError: unreceivedError, changes: changes
        )
    }

    /// Whether a run concerns no other run than its parent, so that its end takes no detours.
    func isAlone(_ run: RunHandle) -> Bool {
        run.entry.phase == .active && run.entry.lane == 0 && idleWaits.isEmpty && run.entry.children.isEmpty
            && run.entry.waitsFor.isEmpty
            && run.entry.drains.isEmpty
    }

    /// Removes such a run after it has finished without a value or an error.
    ///
    /// - Returns: Its group, if the run was the last member.
    mutating func removeAlone(_ run: RunHandle) -> Completion? {
        run.entry.phase = .absent
        runs.remove(run.id)
        forget(run.id, in: run.scopeSerial)
        if run.isBusy { busyCount -= 1 }
        if let parent = run.entry.parent { runs[parent]?.entry.children.remove(run.id) }
        guard let group = run.entry.group.take() else { return nil }
        group.entry.members.remove(run.id)
        return group.entry.isSealed && group.entry.members.isEmpty && dissolve(group) ? group : nil
    }

    /// Whether the awaiter of a group receives the failure of a member that ends now.
    func receivesFailure(of kind: RunKind, _ group: Completion?) -> Bool {
        group.map { $0.entry.isOpen && $0.entry.result.receivesFailure(of: kind) } ?? false
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
    mutating func cancel(group: Completion) -> Changes {
        group.entry.isOrphaned ? Changes() : withdraw(members(of: group))
    }

    /// The current members of a group.
    func members(of group: Completion?) -> [RunID] {
        group.map { $0.entry.isOpen ? $0.entry.members.sorted : [] } ?? []
    }

    /// Halts a run and cancels its children first, with an explicit stack: a chain of performs may be of any length.
    ///
    /// - Parameter withdrawing: Whether the run continues if others have joined it. This always applies to children.
    // inline(never): this would otherwise be copied to each of its calls.
    @inline(never)
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
        let run: RunHandle
        let ending: RunEnding
        let hadStarted: Bool
        /// The children that are still to be halted, in reverse order.
        var children: [RunID]
    }

    /// - Returns: The run to halt: nil if it continues, or the run that a join was the last to wait for.
    private mutating func startHalt(
        _ run: RunID, as ending: RunEnding, sparing spared: Set<RunID>, withdrawing: Bool, _ changes: inout Changes
    ) -> OpenHalt? {
        guard let found = runs[run], !spared.contains(run) else { return nil }
        let hadStarted = found.entry.phase == .active
        let children = found.entry.children
        switch found.entry.phase {
        case .dying, .absent:
            return nil
        case .joined:
            guard let target = endJoin(found, as: ending, &changes) else { return nil }
            return startHalt(target, as: ending, sparing: spared, withdrawing: false, &changes)
        case .pending, .queued, .active:
            if withdrawing, joins.contains(run) {
                disown(found, &changes)
                return nil
            }
        }
        // Marked before the children, so that each run is halted once, whatever the tree looks like.
        if hadStarted {
            found.entry.phase = .dying(ending)
            dyingCount += 1
            if let lane = lanes.at(found.entry.lane) {
                lane.pointee.active.remove(run)
                lane.pointee.dying.insert(run)
            }
        }
        return OpenHalt(
            run: found, ending: ending, hadStarted: hadStarted,
            children: children.isEmpty ? [] : joinsFirst(children.sorted).reversed()
        )
    }

    private mutating func finishHalt(_ halt: OpenHalt, _ changes: inout Changes) {
        let run = halt.run
        guard run.entry.phase != .absent else { return }
        changes.halts.append(Halt(run: run, ending: halt.ending, hadStarted: halt.hadStarted))
        guard !halt.hadStarted else { return }
        note(RunResult(halt.ending), of: run.kind, in: run.entry.group)
        endJoins(of: run.id, RunResult(halt.ending), &changes)
        remove(run, &changes)
    }

    mutating func remove(_ run: RunHandle, _ changes: inout Changes) {
        guard run.entry.phase != .absent else { return }
        let phase = run.entry.phase
        run.entry.phase = .absent
        runs.remove(run.id)
        forget(run.id, in: run.scopeSerial)
        if run.isBusy { busyCount -= 1 }
        if case .dying = phase { dyingCount -= 1 }
        if let parent = run.entry.parent { runs[parent]?.entry.children.remove(run.id) }
        if !run.entry.children.isEmpty {
            for child in run.entry.children.sorted { runs[child]?.entry.parent = nil }
        }
        if !run.entry.waitsFor.isEmpty {
            for group in run.entry.waitsFor { removeFirst(waiter: run.id, from: group) }
            run.entry.waitsFor = []
        }
        if !idleWaits.isEmpty { idleWaits.remove(run.id) }
        if run.entry.lane != 0 { leaveLane(run.id, run.entry.lane, phase, &changes) }
        if let group = run.entry.group.take() { leave(group, run.id, &changes) }
        if !run.entry.drains.isEmpty {
            for group in run.entry.drains { leave(group, run.id, &changes) }
            run.entry.drains = []
        }
    }

    mutating func leave(_ group: Completion, _ run: RunID, _ changes: inout Changes) {
        group.entry.members.remove(run)
        removeIfComplete(group, &changes)
    }

    private mutating func leaveLane(_ run: RunID, _ id: LaneID, _ phase: RunPhase, _ changes: inout Changes) {
        guard let lane = lanes.at(id) else { return }
        switch phase {
        case .pending: if lane.pointee.pending == run { lane.pointee.pending = nil }
        case .queued: lane.pointee.queue.remove(run)
        case .active: lane.pointee.active.remove(run)
        case .dying: lane.pointee.dying.remove(run)
        case .joined, .absent: break
        }
        if !lane.pointee.queue.isEmpty { startQueued(in: id, &changes) }
        if lane.pointee.isUnused, lane.pointee.windowEnd == nil, id != enteredLane { removeLane(id) }
    }
}
