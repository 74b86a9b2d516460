/// Starting runs, ending them, and carrying out what the table of runs decides.
///
/// Who completes a run: its own task, by ``end(_:_:_:)``, after its body has returned or thrown. Who cancels it: the
/// table decides, and the run's right to write is gone in that very step; its task is cancelled after the caller has
/// left the store. Who waits: nobody here; the last member of a ``Group`` to end resumes the tasks that await it.
extension Core {
    // MARK: Starting

    /// Starts a saga or a flow as its policy says. Its task is created when the step is complete.
    func start(_ runner: SagaRunner, on trigger: Reduction, in step: inout Step) {
        let isAside = step.follows != nil && step.output != nil
        let group = step.receipt.group ?? Group(answer: step.answer, isPerformed: step.output != nil, of: self)
        let performer = isAside || step.output == nil ? nil : runs[step.run].flatMap { $0.isActive ? $0 : nil }
        if step.receipt.group == nil {
            step.receipt.group = group
            group.setPerformer(performer)
        }
        let run = Run(
            numbers.next(), runner, on: trigger.action, numbered: trigger.number, at: step.site,
            in: trigger.scope.address, numbered: trigger.scope.serial, policy: runner.policy(for: trigger.action),
            isAside: isAside, prefersExecutor: taskExecutor != nil || runs[step.awaiter]?.marksChildTasks == true, self
        )
        run.group = group
        run.kept = trigger.kept.removeValue(forKey: ObjectIdentifier(runner)) ?? [:]
        admit(run, runner, doing: runner.work)
    }

    /// Starts the only run of a group.
    func startAlone(_ run: Run, _ runner: SagaRunner, doing work: @escaping Run.Work, in group: Group) {
        run.group = group
        admit(run, runner, doing: work)
        agenda.isEmpty = false
        carryOut(runs.seal(group))
    }

    /// Admits a trigger as its policy says.
    private func admit(_ run: Run, _ runner: SagaRunner, doing work: @escaping Run.Work) {
        carryOut(runs.admit(run, now: clock.now))
        if run.isActive {
            reporter.runStarted(run)
            accompany(.started, run, runner)
        } else if run.phase == .ended {
            reporter.runEnded(run, .dropped)
            accompany(.dropped, run, runner)
        }
        guard run.phase != .ended, run.target === run else { return dispatch.streams.discardKept(of: run) }
        launches.append(RunTask(run: run, work: work))
    }

    /// Lets the runs begin that have started, at the end of the step or call.
    func launch() {
        while !turns.isEmpty || !launches.isEmpty {
            let (fired, started) = (turns, launches)
            (turns, launches) = ([], [])
            for turn in fired { turn.fire() }
            for task in started {
                // The step that triggered it may have halted it. Its end may be the turn of another one.
                if case .dying = task.run.phase { end(task.run, .cancelled, nil) }
                if task.run.phase != .ended { task.run.task = task.start(isDetached: isDeliveringMail) }
            }
        }
    }

    /// Notes the action with which a saga accompanies an event, if it does. It is reduced after the step.
    @discardableResult
    private func accompany(_ event: RunEvent, _ run: Run, _ runner: SagaRunner?) -> Bool {
        guard let trigger = run.trigger, let action = runner?.action(on: event, of: trigger) else { return false }
        let chain = accompanimentChain ?? AccompanimentChain()
        chain.count += 1
        guard chain.count <= Relux.Rule.limit else {
            if chain.count == Relux.Rule.limit + 1 { reporter.refused(.endlessRules, action: action, at: run.site) }
            return false
        }
        accompaniments.append((action, run, chain))
        return true
    }

    // MARK: Ending

    /// A run has made its last step. Only its task is left.
    func finish(_ run: Run) {
        let (ended, changes) = runs.finish(run)
        for run in ended {
            dispatch.streams.finishStreams(of: run)
            reporter.runEnded(run, .finished)
        }
        carryOut(changes)
    }

    /// The task of a run has ended.
    ///
    /// - Parameter output: The value that the body has returned.
    func end(_ run: Run, _ outcome: Relux.RunOutcome, _ output: (any Sendable)?) {
        let (runner, phase) = (run.runner, run.phase)
        guard let ended = runs.end(run, outcome, output) else { return }
        dispatch.streams.discardKept(of: run)
        // Before the next run starts.
        let isTaken = phase == .active && RunEvent(ended.outcome).map { accompany($0, run, runner) } == true
        if !isTaken, !ended.isReceived, let error = ended.outcome.error { reporter.failed(run.record, error) }
        // The outcome of a halted run hides what its task has thrown.
        let lateError = ended.outcome.error == nil ? outcome.error : nil
        if !phase.hasFinished { reporter.runEnded(run, ended.outcome, lateError: lateError) }
        carryOut(ended.changes)
    }

    /// Cancels triggers and what their runs perform.
    ///
    /// - Parameters:
    ///   - spared: Runs that continue.
    ///   - closer: The run that closes its own instance in this way; nil if none does.
    ///   - runners: The sagas of modules that go or are reset, for whose runs no `actionOnCancel` is reduced. Runs of
    ///     other modules clean up if they are cancelled because one of these performed them.
    /// - Returns: The runs that were halted.
    @discardableResult
    func cancel(
        _ targets: [Run], sparing spared: Set<Run> = [], closedBy closer: Run? = nil,
        withoutCleanupOf runners: [SagaRunner] = []
    ) -> [Run] {
        let changes = runs.cancel(targets, sparing: spared, closedBy: closer)
        carryOut(changes, withoutCleanupOf: Set(runners.map { ObjectIdentifier($0) }))
        return changes.halts.map(\.run)
    }

    /// Carries out what a transition of the table has left to do.
    func carryOut(_ changes: RunTable.Changes, withoutCleanupOf gone: Set<ObjectIdentifier> = []) {
        for halt in changes.halts {
            if halt.ending == .cancelled, let runner = halt.runner, !gone.contains(ObjectIdentifier(runner)) {
                accompany(.cancelled, halt.run, runner)
            }
            dispatch.streams.finishKept(of: halt.run)
            if !halt.hadStarted {
                reporter.runEnded(halt.run, halt.ending.outcome)
                if halt.ending == .superseded { accompany(.dropped, halt.run, halt.runner) }
            }
            if let task = halt.task { agenda.cancellations.append(task) }
        }
        for endWait in changes.endedWaits { endWait() }
        for run in changes.starts {
            reporter.runStarted(run)
            accompany(.started, run, run.runner)
            if let turn = run.turn { turns.append(turn) }
            agenda.isEmpty = false
        }
        for run in changes.stuckIdlers {
            let record = run.record
            reporter.refused(.waitCycle(waiting: record, on: record), action: run.trigger, at: nil)
        }
        for group in changes.completed { group.fulfil() }
    }

    /// Reduces the actions that accompany runs, first in, first out, and the opening actions of modules that were
    /// connected outside a step. Then tells the readers of what has changed.
    ///
    /// A loop, because each of these steps may lead to further ones. What accompanies a run comes before the next
    /// opening action.
    func followUp() {
        var openings: ArraySlice<Opening> = []
        while true {
            launch()
            openings += modules.removeOpenings()
            if let (action, run, chain) = accompaniments.popFirst() {
                // In the instance of the run. If that is gone, there is nothing left to accompany.
                let caller = Caller.nobody(in: run.scope)
                guard phase == .open, tree.scope(of: caller)?.serial == run.scopeSerial else { continue }
                accompanimentChain = chain
                step(of: action, as: caller, at: run.site, for: .accompanying(run))
                accompanimentChain = nil
            } else if let opening = openings.popFirst() {
                guard phase == .open, opening.scope.isOpen else { continue }
                step(of: opening.action, as: .nobody(in: opening.scope.address), at: opening.site)
            } else {
                return readers.wake()
            }
        }
    }

    // MARK: Cancelling by name

    /// Cancels the runs that share a named lane, whichever sagas they belong to.
    ///
    /// This concerns the caller's scope and the instances inside it.
    func cancel(_ lane: Relux.Lane, as caller: Caller, at site: Relux.CallSite) {
        guard phase == .open, let scope = try? scopeToChange(as: caller, at: site) else { return }
        let scopes = scope.isRoot ? nil : Set(scope.subtree.map(\.serial))
        cancel(runs.triggers(in: lane).filter { scopes?.contains($0.scopeSerial) ?? true })
    }

    /// The triggers of a saga, all of them or those with some policy ids, in the caller's scope and in the instances
    /// inside it, in order.
    ///
    /// - Parameter reason: The report if there can never be any.
    func triggers(
        of saga: Any.Type, _ ids: PolicyIDs, as caller: Caller, at site: Relux.CallSite,
        orReport reason: @autoclosure () -> Relux.Refusal.Reason
    ) -> [Run] {
        // Nothing of a store that was shut down is registered any more, and nothing needs to be done.
        guard phase == .open, let scope = try? scopeToChange(as: caller, at: site) else { return [] }
        let sagas = scope.registrations.flatMap(\.allRunners).filter { $0.saga == saga }
        let found = ids.select(from: sagas.filter { !$0.triggers.isEmpty })
        if sagas.isEmpty || !found.isOfType { reporter.refused(reason(), at: site) }
        return found.triggers.sorted { $0.id < $1.id }
    }
}

/// The actions to which one event in the life of a run has led: the one that accompanies it, and those that accompany
/// the runs that follow from that, however they branch.
final class AccompanimentChain {
    var count = 0
}
