/// Awaiting what is triggered: performing, waiting for a group or for idleness, and timeouts.
extension Core {
    /// Takes an effect that the caller awaits.
    ///
    /// - Returns: The group of what it triggers.
    func perform<E: Relux.Effect>(_ effect: E, as caller: Caller, at site: Relux.CallSite) -> Group {
        // Read on the caller's task, which executes this.
        guard !Task.isCancelled else {
            _ = mayWrite(caller, effect, at: site)
            return Group(refusal: .cancelled)
        }
        let receipt = step(of: effect, as: caller, at: site, for: .performing(output: E.Output.self))
        return receipt.group ?? Group(refusal: receipt.refusal ?? .unhandled)
    }

    // MARK: Waiting

    /// A run's task awaits a group.
    ///
    /// - Parameter id: The run; 0 if the task belongs to none.
    /// - Returns: Why it must not, because the wait could never end. This is reported.
    func wait(_ id: RunID, for group: Group, at site: Relux.CallSite? = nil) -> Relux.EffectError? {
        guard let run = runs[id], let on = runs.wait(run, for: group).first?.record else { return nil }
        let reason = Relux.Refusal.Reason.waitCycle(waiting: run.record, on: on)
        reporter.refused(reason, action: on.trigger, isPerformed: group.isPerformed, at: site)
        return .serialCycle(waiting: run.record, on: on)
    }

    /// A run's task awaits a group of its own: what it has performed, or idleness. If the wait could never end, it is
    /// refused, and the group abandoned.
    func awaitOrAbandon(_ group: Group, by run: RunID, at site: Relux.CallSite? = nil) {
        guard let refusal = wait(run, for: group, at: site) else { return }
        carryOut(runs.abandon(group) { $0.refusal = refusal })
    }

    /// The end of runs that were cancelled, as far as the caller may wait for it.
    ///
    /// A caller that is a run itself, or is made by the task of one, waits neither for that run nor for the runs that
    /// await or perform it.
    func drain(_ halted: [Run], for caller: Caller) -> Group? {
        let callers = Set(runs.runs(of: caller))
        let excluded = callers.flatMap { runs.runsAwaiting($0, orPerformingIt: true) }
        var targets = Set(halted.map(\.target)).subtracting(excluded).filter { runs[$0.id] === $0 }
        while !targets.isEmpty {
            let group = runs.gather(targets.sorted { $0.id < $1.id })
            let blockers = callers.flatMap { runs.wait($0, for: group) }
            guard !blockers.isEmpty else { return group }
            group.removeAllWaits()
            targets.subtract(blockers)
        }
        return nil
    }

    // MARK: Timeouts

    /// Starts the body of a timeout as a child run of the caller.
    ///
    /// - Returns: Its group.
    func startTimed(as caller: Caller, _ work: @escaping @Sendable (Run) async throws -> any Sendable) -> Group {
        guard phase == .open, !Task.isCancelled, let parent = runs[caller.run], parent.phase.isAtWork,
            let runner = parent.runner
        else { return Group(refusal: .cancelled) }
        let group = Group(answer: .flow)
        group.setPerformer(parent)
        // The body is the caller's own work: it keeps the store busy if the caller does.
        let run = Run(
            numbers.next(), runner, as: .timeout, on: nil, numbered: parent.triggerSequence, at: parent.site,
            in: parent.scope, numbered: parent.scopeSerial,
            policy: parent.isBusy ? .concurrent : .concurrent.background, prefersExecutor: parent.marksChildTasks, self
        )
        startAlone(run, runner, doing: work, in: group)
        // Nothing that a finished run still does can write either.
        if parent.phase == .finished { finish(parent) }
        awaitOrAbandon(group, by: caller.waiter, at: parent.site)
        return group
    }

    // MARK: Idleness

    /// Whether nothing is busy, and nothing will be without a further call.
    var isIdle: Bool { runs.isIdle && savings.isIdle && modules.isIdle && !mailbox.isOccupied }

    /// Begins a wait for idleness.
    ///
    /// - Parameter run: The run whose task waits; 0 if it belongs to none.
    /// - Returns: The end of the wait, which is refused if it could never end; nil if the store is idle now.
    func rest(for run: RunID) -> Group? {
        guard !isIdle else { return nil }
        let end = runs.gatherIdleness()
        agenda.isEmpty = false
        awaitOrAbandon(end, by: run)
        return end
    }

    /// Gives up a wait for idleness.
    ///
    /// - Returns: The work that is still going on; nil if the store is idle after all.
    func stopResting(_ end: Group, because reason: Relux.NotIdle.Reason) -> Relux.NotIdle? {
        carryOut(runs.abandon(end))
        guard !isIdle else { return nil }
        let busyRuns = runs.busy.map { run in
            Relux.NotIdle.BusyRun(
                run: run.record, phase: run.phase.reported, waitsFor: runs.blockers(of: run).map(\.record)
            )
        }
        let busySaves = (savings.busySaves + modules.busyLoads).sorted { $0.run.id < $1.run.id }
        return Relux.NotIdle(reason: reason, busy: busyRuns + busySaves)
    }
}

extension RunPhase {
    fileprivate var reported: Relux.NotIdle.Phase {
        switch self {
        case .pending: .pending
        case .queued: .queued
        case .active: .active
        case .finished, .dying, .ended: .ending
        case .joined: .joined
        }
    }
}

/// Waiting for a group, outside.
extension Group {
    /// Waits for the end or for the cancellation of the task.
    ///
    /// If the task belongs to a run of the store, the wait becomes an edge of the wait-for graph.
    ///
    /// - Returns: How the members have ended. It has a refusal if they have not: because the task was cancelled, or
    ///   belongs to a run that would have waited for its own end.
    nonisolated(nonsending) func wait(in core: Core) async -> GroupSummary {
        let waiter = Caller(in: nil, of: core).waiter
        if summary == nil, waiter != 0 {
            let refusal = await core.enter(as: .outside) { core, _ in core.wait(waiter, for: self) }
            if let refusal { return GroupSummary(refusal: refusal) }
        }
        return await wait(as: waiter, in: core)
    }

    /// Waits for the end or for the cancellation of the task.
    ///
    /// - Parameter run: The run whose wait the store knows about; 0 if the task belongs to none.
    nonisolated(nonsending) func wait(as run: RunID, in core: Core) async -> GroupSummary {
        let summary = await withTaskCancellationHandler {
            await waitUnlessCancelled()
        } onCancel: {
            // Posted here rather than by the resumed task, so that no cycle is found in between.
            if run != 0 { core.post { core in core.runs[run].map { self.removeWait(of: $0) } } }
        }
        return summary ?? GroupSummary(refusal: .cancelled)
    }

    /// Cancels what a task has performed that was cancelled itself.
    func abandon(in core: Core) { core.post { core in core.carryOut(core.runs.cancel(self)) } }
}
