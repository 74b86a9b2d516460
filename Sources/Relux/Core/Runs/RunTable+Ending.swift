/// How runs end: by themselves, or halted together with what they perform.
extension RunTable {
    /// Removes a run whose task has ended.
    ///
    /// - Returns: The outcome, which is that of the task unless the run was halted; whether an awaiter receives it if
    ///   it is a failure; and what to do. Nil if the run was removed before.
    mutating func end(
        _ run: Run, _ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil
    ) -> (outcome: Relux.RunOutcome, isReceived: Bool, changes: Changes)? {
        guard self[run.id] === run else { return nil }
        let effective = if case .dying(let ending) = run.phase, !ending.keepsResult { ending.outcome } else { outcome }
        let isReceived = run.triggers.contains { trigger in
            guard !trigger.isAside, let group = trigger.group, !group.isComplete else { return false }
            return group.outcome.receivesFailure(isAnswer: trigger.isAnswering)
        }
        close(run, effective, output)
        return (effective, isReceived, endTransition())
    }

    /// Ends a run in the step of its last actions, with the timeouts that it is in. Only their tasks are left, for
    /// which their awaiters still wait.
    ///
    /// - Parameter run: The run, or the body of one of its timeouts.
    /// - Returns: The runs that have ended, and what to do.
    mutating func finish(_ run: Run) -> (ended: [Run], changes: Changes) {
        let root = run.owner
        var ended: [Run] = []
        var open = [root]
        while let next = open.popLast() {
            guard next === root || next.kind == .timeout else { continue }
            open += next.performed.elements.flatMap(\.members.sorted)
            guard next.phase == .active || next.phase == .dying(.byItself) else { continue }
            let phase: RunPhase = next.phase == .active ? .finished : .dying(.finished)
            move(next, to: .finished)
            (next.phase, next.lane) = (phase, nil)
            endWaits(of: next)
            ended.append(next)
        }
        return (ended.reversed(), endTransition())
    }

    /// Cancels triggers, and what their runs perform, down the tree: what is performed before its performer, in the
    /// order of the starts.
    ///
    /// A run that has not started is removed. One that has can't write any more, and stays until its task has ended. A
    /// trigger that has joined a run leaves it, and the run goes with the last of them.
    ///
    /// - Parameters:
    ///   - targets: What to cancel.
    ///   - spared: Runs that continue, even if their performer is among the targets.
    ///   - closer: The run that closes its own instance in this way; nil if none does. It and those that await it still
    ///     end as their bodies do.
    /// - Complexity: O(n log n) in the number of runs that are cancelled.
    mutating func cancel(_ targets: [Run], sparing spared: Set<Run> = [], closedBy closer: Run? = nil) -> Changes {
        let keepers = closer.map { runsAwaiting($0, orPerformingIt: true) } ?? []
        for target in targets { halt(target, as: .cancelled, keepingResultsOf: keepers, sparing: spared) }
        return endTransition()
    }

    /// Withdraws the triggers of a group, because the task that awaits it was cancelled. Runs for which others wait
    /// continue.
    ///
    /// If the group goes on without the run that performs it, the members continue: the end of that run is then what
    /// cancelled the task.
    mutating func cancel(_ group: Group) -> Changes {
        if group.isOrphaned { releaseAsides(of: group) } else { withdrawMembers(of: group) }
        return endTransition()
    }

    /// Completes a group now, and withdraws its triggers.
    mutating func abandon(_ group: Group, _ note: (inout GroupSummary) -> Void = { _ in }) -> Changes {
        group.note(note)
        withdrawMembers(of: group)
        complete(group)
        return endTransition()
    }

    private mutating func withdrawMembers(of group: Group) {
        guard !group.isComplete else { return }
        let targets = group.members.sorted.filter { !$0.isAside }
        // A run that others of the group have joined is halted when those have left it.
        for target in targets.filter({ $0.target !== $0 }) + targets.filter({ $0.target === $0 }) {
            halt(target, as: .cancelled, withdrawing: true)
        }
        releaseAsides(of: group)
    }

    /// The runs of added actions go on, and nobody waits for them any more.
    private mutating func releaseAsides(of group: Group) {
        for aside in group.members.sorted where aside.isAside {
            group.members.remove(aside)
            leave(group)
            aside.group = Group()
            aside.group?.members.insert(aside)
        }
    }

    /// Halts a run, and cancels what it performs first, in the order of the starts.
    ///
    /// With a stack of its own, because a chain of performs may be of any length. It finds each run before those that
    /// this performs, the last of them first, so that triggers that have joined a run leave before the one that started
    /// it.
    ///
    /// - Parameters:
    ///   - keepers: The runs that still end as their bodies do.
    ///   - withdrawing: Whether the run continues if others have joined it. This always applies to what is performed.
    ///   - spared: Runs that continue.
    ///   - group: The triggers of this group continue, too.
    mutating func halt(
        _ run: Run, as ending: RunEnding, keepingResultsOf keepers: Set<Run> = [], withdrawing: Bool = false,
        sparing spared: Set<Run> = [], beside group: Group? = nil
    ) {
        func isSpared(_ run: Run) -> Bool { run.group != nil && run.group === group || spared.contains(run) }
        var open = [(trigger: run, ending: ending, withdrawing: withdrawing)]
        var halts: [Halt] = []
        while let (trigger, ending, withdrawing) = open.popLast() {
            let run = trigger.target
            if isSpared(trigger) || isSpared(run) {
                // The task of a performer that was halted is cancelled, which leaves alone what goes on.
                if let group = trigger.group, group.performer?.phase.isAtWork == false { group.isOrphaned = true }
                continue
            }
            guard run.phase.isAtWork || run.phase == .queued || run.phase == .pending else { continue }
            if trigger !== run || withdrawing, withdraw(trigger, from: run, as: ending) { continue }
            let hadStarted = run.phase.isAtWork
            let isKept = hadStarted && ending == .cancelled && keepers.contains(run)
            let ending = run.phase == .finished ? .finished : isKept ? .byItself : ending
            // Marked before what it performs, so that each run is halted once, whatever the tree looks like.
            move(run, to: .dying(ending))
            run.begin()
            halts.append((run, run.runner, run.task, ending, hadStarted))
            // A trigger with which the run waits for itself, by way of a task that its cancellation doesn't reach.
            // Neither could ever end otherwise.
            for own in run.joined.elements where isPerformed(own, by: run) { endTrigger(own, .cancelled) }
            for group in run.performed.elements { releaseAsides(of: group) }
            let performed = run.performed.elements.flatMap(\.members.sorted)
            open += performed.sorted { $0.id < $1.id }.map { ($0, .cancelled, true) }
        }
        for halt in halts.reversed() {
            add(halt)
            if halt.hadStarted { endWaits(of: halt.run) } else { close(halt.run, halt.ending.outcome) }
        }
    }

    /// Takes a trigger away from a run for which others wait.
    ///
    /// - Returns: Whether others do. The run itself, which may perform its own effect, doesn't count.
    private mutating func withdraw(_ trigger: Run, from run: Run, as ending: RunEnding) -> Bool {
        func isOther(_ one: Run) -> Bool { one !== trigger && !isPerformed(one, by: run) }
        guard trigger.group != nil, run.group != nil && isOther(run) || run.joined.contains(where: isOther) else {
            return false
        }
        endTrigger(trigger, ending.outcome)
        return true
    }

    /// Whether a run performs a trigger, directly or by way of what it performs.
    private func isPerformed(_ trigger: Run, by run: Run) -> Bool {
        let performers = [trigger].compactMap(\.performer)
        return reached(from: performers) { $0 === run ? [] : $0.triggers.compactMap(\.performer) }.contains(run)
    }

    /// Ends a run that is over, and its triggers, its own last.
    private mutating func close(_ run: Run, _ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil) {
        for group in run.performed.elements {
            // The body of a timeout that a task has begun which the run leaves behind.
            for timeout in group.members.sorted where timeout.kind == .timeout { halt(timeout, as: .cancelled) }
            group.setPerformer(nil)
        }
        for group in run.awaited.elements { group.removeWait(of: run) }
        endWaits(of: run)
        for trigger in run.joined.removeAll() { endTrigger(trigger, outcome, output) }
        endTrigger(run, outcome, output)
        for group in run.drains { leave(group) }
        run.drains = []
        remove(run)
    }
}
