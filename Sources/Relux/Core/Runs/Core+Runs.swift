/// Starting runs, ending them, and carrying out what the table of runs decides.
///
/// Who completes a run: its own task, by ``end(_:_:_:)``, after its body has returned or thrown. Who cancels it: the
/// table decides, and the run's right to write is gone in that very step; its task is cancelled after the caller has
/// left the store. Who waits: nobody here; the last member of a group to end fulfils its ``Completion``.
extension Core {
    // MARK: Starting

    /// Starts a saga or a flow as its policy says.
    func start(_ runner: SagaRunner, on trigger: any Relux.Action, in scope: ScopeNode, _ step: inout Step) {
        let performer = step.isPerforming ? runs.runs[step.origin.run] : nil
        let parent = performer?.phase == .active ? performer : nil
        let run = RunHandle(
            Relux.RunRecord(
                id: runs.nextRun(), kind: runner.isFlow ? .flow : .saga, saga: runner.saga, trigger: trigger,
                triggerSequence: step.published, callSite: step.site, scope: scope.name(in: self)
            ),
            saga: runner.id, name: shortName(of: runner.saga), policy: runner.policy(trigger), of: scope.serial,
            marksChildTasks: carrier != nil || parent?.handle.marksChildTasks == true, self
        )
        let group = step.openGroup(in: self)
        let isAside = step.output != nil && step.follows != nil
        start(run, runner, in: group, below: parent?.handle.id, isAside: isAside) { [work = runner.work] in
            try await work(trigger, run)
        }
    }

    /// Starts a watcher, after the previous one of the same registration has ended.
    func start(_ watcher: any Relux.Watcher, as saga: SagaID, in scope: ScopeNode, at site: Relux.CallSite) {
        let record = Relux.RunRecord(
            id: runs.nextRun(), kind: .watcher, saga: type(of: watcher), trigger: nil, callSite: site,
            scope: scope.name(in: self)
        )
        let run = RunHandle(
            record, saga: saga, name: shortName(of: record.saga), policy: .serial, of: scope.serial,
            marksChildTasks: carrier != nil, self
        )
        inboxes[run.id] = WatcherInbox(listeningTo: watcher.listens, as: .nobody(in: scope.address), in: self)
        startAlone(run, below: nil, in: runs.openGroup(self)) {
            try await watcher.watch(in: run.context)
            return nil
        }
    }

    /// Starts the only run of a group.
    func startAlone(
        _ run: RunHandle, below parent: RunID?, in group: Completion,
        _ work: @escaping @Sendable () async throws -> (any Sendable)?
    ) {
        start(run, nil, in: group, below: parent, work)
        carryOut(runs.seal(group.group))
    }

    /// Admits a trigger as its policy says, and creates the task of its run, if it has one.
    private func start(
        _ run: RunHandle, _ runner: SagaRunner?, in group: Completion, below parent: RunID?, isAside: Bool = false,
        _ work: @escaping @Sendable () async throws -> (any Sendable)?
    ) {
        let admission = runs.admit(
            RunTrigger(handle: run, runner: runner, group: group.group, isAside: isAside, parent: parent),
            now: clock.now
        )
        carryOut(admission.changes)
        switch admission.placement {
        case .start(let start):
            if case .immediately = start { reporter.runStarted(run.record) }
            runs.note(run.launch(isDetached: isDeliveringMail) { await run.execute(start, work) }, of: run.id)
        case .join: break
        case .drop: reporter.runEnded(run.record, .dropped)
        }
    }

    /// The deadline of a pending run has come.
    ///
    /// - Returns: Whether it may start.
    func deadlineReached(_ run: RunHandle) -> Bool {
        guard let changes = runs.deadlineReached(run.id, now: clock.now()) else { return false }
        carryOut(changes)
        return true
    }

    // MARK: Ending

    /// The task of a run has ended.
    ///
    /// - Parameter output: What the body has returned.
    func end(_ run: RunHandle, _ outcome: Relux.RunOutcome, _ output: (any Sendable)?) {
        guard let ended = runs.end(run.id, outcome, output) else { return }
        discardInbox(of: run.id)
        if let error = ended.unreceivedError { reporter.failed(run.record, error) }
        reporter.runEnded(run.record, ended.outcome, lateError: ended.lateError)
        carryOut(ended.changes)
    }

    /// Cancels triggers and what their runs perform.
    ///
    /// - Parameters:
    ///   - spared: Runs that continue.
    ///   - origin: The run that closes its own instance in this way; 0 if none does.
    ///   - cleansUp: Whether the `actionOnCancel` of a cancelled run is reduced.
    /// - Returns: The runs that were halted.
    @discardableResult
    func cancel(
        _ targets: [RunID], sparing spared: Set<RunID> = [], by origin: RunID = 0,
        _ cleansUp: (RunHandle) -> Bool = { _ in true }
    ) -> [RunID] {
        let changes = runs.cancel(targets, sparing: spared, by: origin)
        carryOut(changes, cleansUp)
        return changes.halts.map(\.run.handle.id)
    }

    /// Carries out what a transition of the table has left to do.
    func carryOut(_ changes: RunTable.Changes, _ cleansUp: (RunHandle) -> Bool = { _ in true }) {
        for (run, ending, hadStarted) in changes.halts {
            let handle = run.handle
            if ending == .cancelled, cleansUp(handle), let trigger = handle.record.trigger,
                let action = run.runner?.actionOnCancel(trigger)
            {
                leftovers.cleanups.append((action, handle))
            }
            if !hadStarted {
                discardInbox(of: handle.id)
                reporter.runEnded(handle.record, ending.outcome)
            }
            if let task = run.task { leftovers.cancellations.append(task) }
        }
        for end in changes.endedWaits { end(self) }
        for run in changes.starts {
            reporter.runStarted(run.handle.record)
            run.turn?.fire()
        }
        for run in changes.stuckIdlers {
            reporter.refused(.waitCycle(waiting: run, on: run), action: run.trigger, at: nil)
        }
        for (completion, summary) in changes.completed { completion.fulfil(summary) }
    }

    /// Reduces the `actionOnCancel` of the runs that were cancelled. A loop, because a cleanup may cancel further runs.
    func cleanUp() {
        while let (action, run) = leftovers.cleanups.popFirst() {
            // In the scope of the run. If that is gone, there is nothing left to clean up.
            guard phase == .open, scope(of: .nobody(in: run.scope)) != nil else { continue }
            step(as: .nobody(in: run.scope), at: run.record.callSite, after: run) { $0.take(action, in: &$1) }
        }
    }

    private func discardInbox(of run: RunID) { inboxes.removeValue(forKey: run)?.discard(in: self) }

    // MARK: Cancelling by name

    /// Cancels the runs that share a named lane, whichever sagas they belong to.
    ///
    /// This concerns the caller's scope and the instances inside it.
    func cancel(_ lane: Relux.Lane, as origin: Origin, at site: Relux.CallSite) {
        guard phase == .open, let scope = try? scopeToChange(as: origin, at: site) else { return }
        let scopes = scope.isRoot ? nil : Set(([scope] + scope.descendants).map(\.serial))
        cancel(runs.triggers(in: lane).filter { scopes?.contains($0.handle.scopeSerial) ?? true }.map(\.id))
    }

    /// Cancels the runs of a saga, all of them or those with some policy ids.
    ///
    /// This concerns the caller's scope and the instances inside it.
    func cancel(_ saga: Any.Type, _ ids: PolicyIDs, as origin: Origin, at site: Relux.CallSite) {
        // Nothing of a store that was shut down is registered any more, and nothing needs to be cancelled.
        guard phase == .open, let scope = try? scopeToChange(as: origin, at: site) else { return }
        let sagas = scope.registrations.flatMap { $0.sagas(of: saga) }
        let triggers = sagas.compactMap { runs.triggersOfSagas[$0] }
        let found = ids.select(from: triggers)
        if sagas.isEmpty || !found.isOfType { reporter.refused(.cancelledNothing(saga), at: site) }
        cancel(found.triggers.sorted())
    }
}
