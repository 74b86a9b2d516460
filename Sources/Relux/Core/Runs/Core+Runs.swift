/// Starting runs, ending them, and carrying out what the table of runs decides.
///
/// Who completes a run: its own task, by ``end(_:_:)``, after its body has returned or thrown. Who cancels it: the
/// table decides, and the run's right to write is gone in that very step; its task is cancelled after the caller has
/// left the store. Who waits: nobody here; the last member of a group to end fulfils its ``Completion``.
extension Core {
    // MARK: Starting

    /// Starts a saga or a flow as its policy says.
    func start<A: Relux.Action>(_ runner: SagaRunner<A>, on trigger: A, in scope: ScopeNode, _ step: inout Step) {
        let performer = step.isPerforming ? runs.runs[step.origin.run] : nil
        let parent = performer?.phase == .active ? performer : nil
        let run = RunHandle(
            Relux.RunRecord(
                id: runs.nextRun(), kind: runner.isFlow ? .flow : .saga, saga: runner.saga, trigger: trigger,
                triggerSequence: step.published, callSite: step.site, scope: scope.name(in: self)
            ),
            saga: runner.id, name: runner.name, policy: runner.policy(for: trigger), of: scope.serial,
            depth: inlineStart == nil && step.follows == nil ? step.depth : 0,
            marksChildTasks: carrier != nil || parent?.handle.marksChildTasks == true, self
        )
        let group = step.openGroup(in: self)
        let isAside = step.output != nil && step.follows != nil
        guard let start = admit(run, runner, in: group, below: parent?.handle.id, isAside: isAside) else { return }
        let body = runner.body(run, for: trigger, start)
        if run.depth > 0, case .immediately = start {
            inlineStart = { run.startInline(body) }
        } else {
            run.launch(isDetached: isDeliveringMail, body)
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
    private func startAlone(
        _ run: RunHandle, below parent: RunID?, in group: Completion,
        _ work: @escaping @Sendable () async throws -> (any Sendable)?
    ) {
        if let start = admit(run, nil, in: group, below: parent) {
            run.launch(isDetached: isDeliveringMail) { await run.execute(start, work) }
        }
        carryOut(runs.seal(group.group))
    }

    /// Admits a trigger as its policy says.
    ///
    /// - Returns: When the run starts, whose task the caller must create; nil if none starts.
    private func admit(
        _ run: RunHandle, _ runner: AnySagaRunner?, in group: Completion, below parent: RunID?, isAside: Bool = false
    ) -> RunStart? {
        let admission = runs.admit(
            RunTrigger(handle: run, runner: runner, group: group.group, isAside: isAside, parent: parent),
            // The clock is read only if the policy needs the time.
            now: run.policy.kind.isTimed ? clock.now() : .zero
        )
        carryOut(admission.changes)
        switch admission.placement {
        case .start(let start):
            if case .immediately = start { reporter.runStarted(run.record) }
            return start
        case .join:
            return nil
        case .drop:
            reporter.runEnded(run.record, .dropped)
            return nil
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
    func end(_ run: RunHandle, _ result: RunResult) {
        guard let ended = runs.end(run.id, result) else { return }
        discardInbox(of: run.id)
        if let error = ended.unreceivedError { reporter.failed(run.record, error) }
        reporter.runEnded(run.record, ended.result, lateError: ended.lateError)
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
        return changes.halts.map(\.handle.id)
    }

    /// Carries out what a transition of the table has left to do.
    func carryOut(_ changes: RunTable.Changes, _ cleansUp: (RunHandle) -> Bool = { _ in true }) {
        for halt in changes.halts {
            let run = halt.handle
            if halt.ending == .cancelled, cleansUp(run), let trigger = run.record.trigger,
                let action = halt.runner?.actionOnCancel(trigger)
            {
                leftovers.cleanups.append((action, run))
            }
            if !halt.hadStarted {
                discardInbox(of: run.id)
                reporter.runEnded(run.record, RunResult(halt.ending))
            }
            leftovers.cancellations.append(run)
        }
        for end in changes.endedWaits { end(self) }
        for (run, turn) in changes.starts {
            reporter.runStarted(run.record)
            turn?.fire()
        }
        for (completion, summary) in changes.completed { completion.fulfil(summary) }
        for run in changes.stuckIdlers { failIdlers(of: run) }
    }

    /// Reduces the `actionOnCancel` of the runs that were cancelled. A loop, because a cleanup may cancel further runs.
    func cleanUp() {
        while let (action, run) = leftovers.cleanups.popFirst() {
            guard phase == .open else { continue }
            // In the scope of the run. If that is gone, there is nothing left to clean up.
            guard case .scope = place(of: .nobody(in: run.scope)) else { continue }
            step(as: .nobody(in: run.scope), at: run.record.callSite, after: run) { $0.take(action, in: &$1) }
        }
    }

    private func discardInbox(of run: RunID) {
        guard !inboxes.isEmpty, let inbox = inboxes.removeValue(forKey: run) else { return }
        inbox.discard(in: self)
    }

    // MARK: Performing

    /// What became of an effect that the caller awaits.
    struct Performed: Sendable {
        let completion: Completion
        /// Starts the run that the caller must start on its own thread, outside the store.
        let startInline: (@Sendable () -> Void)?
        /// The number of the perform.
        let number: UInt64
    }

    /// Takes an effect that the caller awaits.
    ///
    /// - Parameter depth: The nesting depth of a run that the caller starts inline; 0 if runs start on the pool.
    func perform<E: Relux.Effect>(
        _ effect: E, depth: Int, as origin: Origin, at site: Relux.CallSite
    ) -> Performed {
        performCount += 1
        var receipt = Receipt(.refused)
        // Read on the caller's task, which executes this.
        if Task.isCancelled {
            _ = mayWrite(origin, effect, at: site)
        } else {
            receipt = step(as: origin, at: site) { core, step in
                (step.output, step.depth) = (E.Output.self, depth)
                core.take(effect, in: &step)
            }
        }
        return Performed(
            completion: receipt.completion ?? refused(receipt.refusal), startInline: inlineStart.take(),
            number: performCount
        )
    }

    private func refused(_ error: Relux.EffectError) -> Completion {
        let completion = Completion(self)
        completion.fulfil(GroupSummary(refusal: error))
        return completion
    }

    // MARK: Waiting

    /// A run's task awaits a group.
    ///
    /// - Returns: Why it must not, because the wait could never end. This is reported.
    func wait(_ run: RunID, for completion: Completion, at site: Relux.CallSite? = nil) -> Relux.EffectError? {
        guard run != 0, let blocker = runs.wait(run, for: completion.group), let waiting = runs.record(of: run),
            let on = runs.record(of: blocker)
        else { return nil }
        reporter.refused(.waitCycle(waiting: waiting, on: on), action: on.trigger, at: site)
        return .serialCycle(waiting: waiting, on: on)
    }

    /// The end of runs that were cancelled, as far as the caller may wait for it.
    ///
    /// A caller that is a run itself, or is made by the task of one, waits neither for that run nor for the runs that
    /// await or perform it.
    func drain(_ halted: [RunID], for origin: Origin) -> Completion? {
        var excluded: Set<RunID> = []
        for run in Set([origin.run, origin.waiter]) where run != 0 {
            excluded.formUnion(runs.runsAwaiting(run, orPerformingIt: true))
        }
        let targets = Set(halted.map { runs.joined[$0] ?? $0 })
        let members = targets.filter { runs.runs[$0] != nil && !excluded.contains($0) }
        guard !members.isEmpty else { return nil }
        let completion = runs.gather(members.sorted(), self)
        for run in Set([origin.run, origin.waiter]) where run != 0 {
            if runs.wait(run, for: completion.group) != nil { return nil }
        }
        return completion
    }

    // MARK: Timeouts

    /// Starts the body of a timeout as a child run of the caller.
    ///
    /// - Returns: Its end.
    func startTimed(
        as origin: Origin, _ work: @escaping @Sendable (RunHandle) async throws -> any Sendable
    ) -> Completion {
        guard phase == .open, !Task.isCancelled, let parent = runs.runs[origin.run], parent.phase == .active else {
            return refused(.cancelled)
        }
        let completion = runs.openGroup(answer: .flow, self)
        let caller = parent.handle
        let record = Relux.RunRecord(
            id: runs.nextRun(), kind: .timeout, saga: caller.record.saga, trigger: nil,
            triggerSequence: caller.record.triggerSequence, callSite: caller.record.callSite, scope: caller.record.scope
        )
        // The body is the caller's own work: it keeps the store busy if the caller does.
        let run = RunHandle(
            record, name: caller.name, policy: caller.isBusy ? .concurrent : .concurrent.background,
            of: caller.scopeSerial, marksChildTasks: caller.marksChildTasks, self
        )
        startAlone(run, below: caller.id, in: completion) { try await work(run) }
        awaitPerformed(completion, by: origin.waiter, at: caller.record.callSite)
        return completion
    }

    /// The deadline of a timeout has passed: its run can't write any more, and its caller stops waiting.
    func expire(_ completion: Completion) {
        carryOut(runs.abandon(completion.group) { $0.isExpired = true })
    }

    /// A run's task awaits what it has performed. A wait that could never end is refused, and what was performed is
    /// withdrawn.
    func awaitPerformed(_ completion: Completion, by run: RunID, at site: Relux.CallSite) {
        guard let refusal = wait(run, for: completion, at: site) else { return }
        carryOut(runs.abandon(completion.group) { $0.refusal = refusal })
    }

    // MARK: Cancelling by name

    /// Cancels the runs that share a named lane, whichever sagas they belong to.
    ///
    /// This concerns the caller's scope and the instances inside it.
    func cancel(_ lane: Relux.Lane, as origin: Origin, at site: Relux.CallSite) {
        guard phase == .open, mayWrite(origin, at: site), let scope = scope(of: origin, at: site) else { return }
        let scopes = scope.isRoot ? nil : Set(([scope] + scope.descendants).map(\.serial))
        cancel(runs.triggers(in: lane).filter { scopes?.contains($0.handle.scopeSerial) ?? true }.map(\.id))
    }

    /// Cancels the runs of a saga, all of them or those with some policy ids.
    ///
    /// This concerns the caller's scope and the instances inside it.
    func cancel(_ saga: Any.Type, _ ids: PolicyIDs, as origin: Origin, at site: Relux.CallSite) {
        // Nothing of a store that was shut down is registered any more, and nothing needs to be cancelled.
        guard phase == .open, mayWrite(origin, at: site), let scope = scope(of: origin, at: site) else { return }
        let sagas = scope.registrations.flatMap { $0.sagas(of: saga) }
        let triggers = sagas.compactMap { runs.triggersOfSagas[$0] }
        let found = ids.select(from: triggers)
        if sagas.isEmpty || !found.isOfType { reporter.refused(.cancelledNothing(saga), at: site) }
        cancel(found.triggers.sorted())
    }

    // MARK: Idleness

    /// What a task that wants the store to be idle has to do.
    enum Rest: Sendable {
        case isIdle
        /// The task would wait for its own end.
        case never(Relux.NotIdle)
        /// To await the signal, which fires when the store is idle or the wait has become vain.
        case wait(Signal, place: UInt64)
    }

    func rest(for waiter: RunID) -> Rest {
        guard !runs.isIdle || !savings.isIdle || mailbox.isOccupied else { return .isIdle }
        guard waiter == 0 || runs.waitForIdleness(waiter) else { return .never(refuseIdleness(of: waiter)) }
        let signal = Signal()
        return .wait(signal, place: leftovers.idlers.append((signal, waiter)))
    }

    /// Ends a wait for idleness.
    ///
    /// - Returns: What was still busy; nil if the store had become idle.
    func stopResting(_ place: UInt64, because reason: Relux.NotIdle.Reason) -> Relux.NotIdle? {
        if let failure = failedIdlers.removeValue(forKey: place) { return failure }
        guard let (_, run) = leftovers.idlers.remove(place) else { return nil }
        runs.stopWaitingForIdleness(run)
        return notIdle(because: reason)
    }

    func wakeIdlers() {
        for (signal, run) in leftovers.idlers.removeAll() {
            runs.stopWaitingForIdleness(run)
            signal.fire()
        }
    }

    /// Ends the waits for idleness of a run, which have become vain.
    private func failIdlers(of run: RunID) {
        let error = refuseIdleness(of: run)
        var failed: [UInt64] = []
        leftovers.idlers.forEach { place, idler in if idler.run == run { failed.append(place) } }
        for place in failed {
            failedIdlers[place] = error
            leftovers.idlers.remove(place)?.signal.fire()
            runs.stopWaitingForIdleness(run)
        }
    }

    private func refuseIdleness(of run: RunID) -> Relux.NotIdle {
        if let own = runs.record(of: run) { reporter.refused(.waitCycle(waiting: own, on: own), at: nil) }
        return notIdle(because: .calledFromRun(run))
    }

    private func notIdle(because reason: Relux.NotIdle.Reason) -> Relux.NotIdle {
        Relux.NotIdle(
            reason: reason,
            busy: runs.busy.compactMap { id -> Relux.NotIdle.BusyRun? in
                guard let record = runs.record(of: id) else { return nil }
                return Relux.NotIdle.BusyRun(
                    run: record, phase: Relux.NotIdle.Phase(runs.runs[id]?.phase),
                    waitsFor: runs.blockers(of: id).compactMap { runs.record(of: $0) }
                )
            } + busySaves
        )
    }
}

extension Relux.NotIdle.Phase {
    /// - Parameter phase: That of the run; nil for a trigger that has joined one.
    fileprivate init(_ phase: RunPhase?) {
        switch phase {
        case .pending: self = .pending
        case .queued: self = .queued
        case .active: self = .active
        case .dying: self = .ending
        case nil: self = .joined
        }
    }
}
