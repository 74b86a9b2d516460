/// What follows the reducers of an action.
extension Core {
    /// Reports a reduced action to the observers, and starts its sagas.
    ///
    /// - Parameter outward: What the action has become in the scopes around an instance.
    func publish<A: Relux.Action>(
        _ action: A, as sequence: UInt64, in scope: ScopeNode, on route: AnyRoute?, _ outward: [any AnyReduced],
        _ submission: borrowing Submission, _ result: inout DispatchResult
    ) {
        if reporter.hasObservers { report(action, as: sequence, in: scope, on: route, outward, submission) }
        let isEffect = route?.isEffect ?? (A.self is any Relux.Effect.Type)
        let isAnswered = submission.output == nil || submission.output == Void.self || route?.hasFlow == true
        let isHandled =
            isEffect
            ? isAnswered && (route?.runners.isEmpty == false || outward.contains { $0.route?.runners.isEmpty == false })
            : route?.isUnused == false || !outward.isEmpty
        // The step itself has closed the instance, so that the sagas there don't start.
        let isCutOff = !scope.isOpen && route?.runners.isEmpty == false
        if !scope.isOpen {
            if isCutOff || submission.output != nil { result.noteRefused() }
        } else if !isHandled, !(A.self is any Relux.Broadcast.Type) {
            result.disposition = .unhandled
            reporter.refused(
                isEffect ? .effectNotTaken : .actionNotTaken, action: action, isPerformed: submission.output != nil,
                at: submission.site
            )
        }
        let answer: GroupSummary.Answer =
            submission.output == nil || !isAnswered ? .nobody : route?.hasFlow == true ? .flow : .sagas
        if let route { startSagas(of: action, on: route, in: scope, answer: answer, submission, &result) }
        for reduced in outward { reduced.startOuterSagas(in: self, answer: answer, submission, &result) }
        if submission.output != nil, isCutOff || !isAnswered, let completion = result.completion {
            runs.note(refusal: isCutOff ? .cancelled : .unhandled, in: completion)
        }
    }

    /// Starts the sagas of an action on a route.
    func startSagas<A: Relux.Action>(
        of action: A, on route: AnyRoute, in scope: ScopeNode, answer: GroupSummary.Answer,
        _ submission: borrowing Submission, _ result: inout DispatchResult
    ) {
        // The step may have closed the scope.
        guard !route.runners.isEmpty, scope.isOpen else { return }
        let completion = openGroup(answer: answer, &result)
        // By index: an iterator would retain the array.
        for index in route.runners.indices {
            admit(action, to: route.runners[index], in: scope, completion, submission)
        }
    }

    /// Reports an action to the observers.
    func report<A: Relux.Action>(
        _ action: A, as sequence: UInt64, in scope: ScopeNode, on route: AnyRoute?, _ outward: [any AnyReduced],
        _ submission: borrowing Submission
    ) {
        let cause = submission.cause ?? (submission.origin.run == 0 ? nil : runs.handle(of: submission.origin.run))
        var states = route?.states ?? []
        for reduced in outward { states += reduced.route?.states ?? [] }
        reporter.reduced(
            action, numbered: sequence, of: states, in: scope.address, from: cause, at: submission.site,
            isPerformed: submission.output != nil, isAwaited: submission.isAwaited, self
        )
    }
}
