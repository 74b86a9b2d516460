/// What becomes visible of an action at the end of its step.
extension Core {
    /// Reports an action whose reducers have run, and starts its sagas.
    func publish(_ reduction: Reduction, in step: inout Step) {
        let (taken, route) = (reduction.taken, reduction.taken.route)
        (step.follows, step.published) = (reduction.follows, reduction.number)
        if reporter.hasObservers { report(reduction, step) }
        let action = taken.action
        let isEffect = route?.isEffect ?? (action is any Relux.Effect)
        let hasFlow = route?.flow != nil
        let isPerformed = step.isPerforming
        let isAnswered = !isPerformed || step.output == Void.self || hasFlow
        let isHandled =
            isEffect
            ? isAnswered && reduction.hasRunners
            : route?.isUnused == false || !reduction.others.isEmpty
        // The step itself has closed the instance, so that the sagas there don't start.
        let isCutOff = !taken.scope.isOpen && taken.hasRunners
        if !taken.scope.isOpen {
            if isCutOff || isPerformed { step.note(.refused) }
        } else if !isHandled, !(action is any Relux.Broadcast) {
            step.note(.unhandled)
            reporter.refused(
                isEffect ? .effectNotTaken : .actionNotTaken, action: action, isPerformed: isPerformed, at: step.site
            )
        }
        if isPerformed {
            step.answer = !isAnswered ? .nobody : hasFlow ? .flow : .sagas
            if isCutOff || !isAnswered { step.missingOutput = isCutOff ? .cancelled : .unhandled }
        }
        reduction.forEach { $0.startSagas(in: self, &step) }
    }

    private func report(_ reduction: Reduction, _ step: borrowing Step) {
        let record = Relux.ActionRecord(
            sequence: reduction.number, action: reduction.taken.action, callSite: step.site,
            cause: step.cause?.record ?? runs.record(of: step.origin.run), follows: reduction.follows,
            time: clock.now(), states: reduction.states,
            scope: reduction.taken.scope.name(in: self),
            step: step.reductions.first?.number ?? reduction.number, isPerformed: step.isPerforming,
            isAwaited: step.isAwaited
        )
        reporter.tell(in: self) { $0.actionReduced(record, leaving: $1) }
    }
}
