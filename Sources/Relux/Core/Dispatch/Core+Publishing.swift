/// What follows the reducers of an action.
extension Core {
    /// Reports a reduced action to the observers, delivers it to the streams, and starts its sagas.
    func publish<A: Relux.Action>(
        _ action: A, as sequence: UInt64, on route: AnyRoute?, _ submission: borrowing Submission,
        _ result: inout DispatchResult
    ) {
        if reporter.hasObservers { report(action, as: sequence, on: route, submission) }
        let isEffect = route?.isEffect ?? (A.self is any Relux.Effect.Type)
        let isAnswered = submission.output == nil || submission.output == Void.self || route?.hasFlow == true
        let isHandled = isEffect ? route?.runners.isEmpty == false && isAnswered : route?.isUnused == false
        if !isHandled {
            result.disposition = .unhandled
            reporter.refused(isEffect ? .effectNotTaken : .actionNotTaken, action: action, at: submission.site)
        }
        guard let route else { return }
        if !route.streams.isEmpty { route.route(for: A.self).deliver(action) }
        guard !route.runners.isEmpty else { return }
        let answer: GroupSummary.Answer =
            submission.output == nil || !isAnswered ? .nobody : route.hasFlow ? .flow : .sagas
        let completion = openGroup(submission, answer: answer, &result)
        if submission.output != nil, !isAnswered { runs.note(refusal: .unhandled, in: completion) }
        for runner in route.runners { admit(action, to: runner, completion, submission) }
    }

    /// Reports an action to the observers.
    func report<A: Relux.Action>(
        _ action: A, as sequence: UInt64, on route: AnyRoute?, _ submission: borrowing Submission
    ) {
        let cause = submission.cause ?? (submission.origin.run == 0 ? nil : runs.handle(of: submission.origin.run))
        reporter.reduced(
            action, numbered: sequence, on: route, from: cause, at: submission.site,
            isPerformed: submission.output != nil, states
        )
    }
}
