/// Making steps: everything that brings actions into the store goes through ``begin(as:at:for:)`` and ``end(_:)``.
extension Core {
    /// Makes a step of one action.
    @discardableResult
    func step(
        of action: some Relux.Action, as caller: Caller, at site: Relux.CallSite,
        for purpose: Step.Purpose = .dispatching
    ) -> Receipt {
        var step = begin(as: caller, at: site, for: purpose)
        take(action, in: &step)
        return end(&step)
    }

    /// Makes a step of several actions.
    func step(
        ofAll batch: [any Relux.Action], as caller: Caller, at site: Relux.CallSite, for purpose: Step.Purpose
    ) -> Receipt {
        var step = begin(as: caller, at: site, for: purpose)
        for action in batch { take(action, in: &step) }
        return end(&step)
    }

    /// Begins a step, in which ``take(_:in:)`` is called for each action.
    ///
    /// The actions are taken one after the other, each with what rules add to it. Only when all have been taken is
    /// anything visible: they are reported, their runs are started, and readers are told.
    func begin(as caller: Caller, at site: Relux.CallSite, for purpose: Step.Purpose = .dispatching) -> Step {
        actingRun = caller.run
        let target: Step.Target =
            if let reason = refusal(of: caller) {
                .refused(reason)
            } else if let scope = tree.scope(of: caller) {
                .scope(scope)
            } else {
                .refused(readers.absence(of: Relux.Scope(self, caller.scope)))
            }
        return Step(target: target, run: caller.run, waiter: caller.waiter, site: site, purpose: purpose)
    }

    /// Takes an action as a part of a step, and what rules add to it.
    ///
    /// - Complexity: O(1), apart from the reducers, children, and rules that this type of action concerns.
    ///
    /// - Parameters:
    ///   - scope: Where the action is looked up; nil for the scope of the step.
    ///   - whenReduced: Called after its own reducers.
    func take(
        _ action: some Relux.Action, from scope: ScopeNode? = nil, in step: inout Step, whenReduced: () -> Void = {}
    ) {
        dispatch.take(action, from: scope, in: &step)
        whenReduced()
        while step.isUnfinished {
            if let opener = step.open {
                follow(modules.children(of: opener.all.flatMap(\.concerning)))
                // After its rules, whose actions are put before them.
                step.add(modules.removeOpenings(), openedBy: opener)
            }
            dispatch.proceed(&step)
        }
        step.follows = nil
    }

    /// Ends a step: makes visible what all its actions have led to.
    func end(_ step: inout Step) -> Receipt {
        actingRun = 0
        if step.finishesRun, let run = runs[step.run] {
            // Before any saga of these actions starts: the place of the run in its lane is free.
            for reduction in step.reductions { report(reduction, step) }
            finish(run)
        }
        for reduction in step.reductions { publish(reduction, in: &step) }
        if let group = step.receipt.group {
            if let error = step.missingOutput { group.note { $0.refusal = error } }
            // This includes a run that was superseded by what it performs: its task still awaits that.
            if step.output != nil { awaitOrAbandon(group, by: step.waiter, at: step.site) }
        }
        // Nobody sees the states between a step and the actions that accompany its runs.
        if !agenda.isEmpty, accompaniments.isEmpty { readers.wake() }
        if let group = step.receipt.group {
            carryOut(runs.seal(group))
            launch()
        }
        return step.receipt
    }

    // MARK: Admission

    /// Why a caller may not write any more; nil if it may.
    private func refusal(of caller: Caller) -> Relux.Refusal.Reason? {
        guard phase == .open else { return .storeShutDown }
        // Asked first: most callers are no runs, and a record is long.
        return caller.run == 0 ? nil : staleRun(of: caller).map { .staleWrite($0) }
    }

    /// The run on whose behalf a caller would write, if it may not write any more. The only place that decides this:
    /// inside the store, as the write is taken.
    func staleRun(of caller: Caller) -> Relux.RunRecord? {
        guard caller.run != 0, !runs.isLive(caller.run) else { return nil }
        // A run that is gone without a context to its name has left its task behind, which now acts for nobody.
        return runs[caller.run]?.record ?? caller.context?.record
    }

    /// Whether a caller may still write. Otherwise, the refusal is reported.
    ///
    /// - Parameter action: The action that it wants to dispatch, for the report.
    func mayWrite(_ caller: Caller, _ action: (any Relux.Action)? = nil, at site: Relux.CallSite?) -> Bool {
        guard let reason = refusal(of: caller) else { return true }
        reporter.refused(reason, action: action, at: site)
        return false
    }

    // MARK: Publishing

    /// Reports an action whose reducers have run, and starts its sagas.
    private func publish(_ reduction: Reduction, in step: inout Step) {
        let route = reduction.route
        step.follows = reduction.follows
        if !step.finishesRun { report(reduction, step) }
        let isEffect = route?.isEffect ?? (reduction.action is any Relux.Effect)
        let hasFlow = route?.flow != nil
        let isPerformed = step.isPerforming
        let isAnswered = !isPerformed || step.output == Void.self || hasFlow
        let isHandled = isEffect ? isAnswered && reduction.triggersAnything : reduction.isTaken
        // The step itself has closed the instance, or removed the sagas there, so that they don't start.
        let isCutOff = reduction.hadRunners && !reduction.hasRunners
        let isGone = isCutOff || !reduction.scope.isOpen
        if isGone {
            if isCutOff || isPerformed { step.note(.cancelled) }
        } else if !isHandled, !(reduction.action is any Relux.Broadcast) {
            step.note(.unhandled)
            reporter.refused(
                isEffect ? .effectNotTaken : .actionNotTaken, action: reduction.action, isPerformed: isPerformed,
                at: step.site
            )
        }
        if isPerformed {
            let hasOutput = isHandled && !isCutOff
            step.answer = !hasOutput ? .nobody : hasFlow ? .flow : .sagas
            if !hasOutput { step.missingOutput = isGone ? .cancelled : .unhandled }
        }
        guard reduction.triggersAnything || reduction.keepsAnything else { return }
        for reduction in reduction.all {
            for runner in reduction.runners {
                start(runner, on: reduction, in: &step)
            }
            // The step may have removed a saga.
            for stream in reduction.kept.values.flatMap(\.values) { dispatch.streams.finish(stream) }
        }
    }

    private func report(_ reduction: Reduction, _ step: borrowing Step) {
        guard reporter.hasObservers else { return }
        let cause = if case .accompanying(let run) = step.purpose { run } else { runs[step.run] }
        let isAwaited = if case .awaiting = step.purpose { true } else { false }
        let record = Relux.ActionRecord(
            sequence: reduction.number, action: reduction.action, callSite: step.site, cause: cause?.record,
            follows: reduction.follows, time: clock.now(), scope: reduction.scope.name(in: self),
            reduced: reduction.states, step: step.reductions.first?.number ?? reduction.number,
            isPerformed: step.isPerforming, isAwaited: isAwaited
        )
        reporter.tell { $0.actionReduced(record, leaving: readers.reader(at: tree.root)) }
    }
}
