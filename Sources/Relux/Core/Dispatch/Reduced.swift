/// An action whose reducers have run, with the route that was looked up for them.
struct Reduced<A: Relux.Action>: AnyReduced {
    private let action: A
    private let sequence: UInt64
    /// Nil if nothing takes the action.
    private let route: AnyRoute?

    init(_ action: A, as sequence: UInt64, on route: AnyRoute?) {
        self.action = action
        self.sequence = sequence
        self.route = route
    }

    func publish(in core: isolated Core, _ submission: borrowing Submission, _ result: inout DispatchResult) {
        if core.reporter.hasObservers { core.report(action, as: sequence, on: route, submission) }
        let isEffect = route?.isEffect ?? (A.self is any Relux.Effect.Type)
        let isAnswered = submission.output == nil || submission.output == Void.self || route?.hasFlow == true
        let isHandled = isEffect ? route?.runners.isEmpty == false && isAnswered : route?.isUnused == false
        if !isHandled {
            result.disposition = .unhandled
            core.reporter.refused(isEffect ? .effectNotTaken : .actionNotTaken, action: action, at: submission.site)
        }
        guard let route else { return }
        if !route.streams.isEmpty { route.route(for: A.self).deliver(action) }
        guard !route.runners.isEmpty else { return }
        let completion = core.openGroup(submission, &result)
        if submission.output != nil {
            if isAnswered {
                core.runs.setAnswer(route.hasFlow ? .flow : .sagas, of: completion)
            } else {
                core.runs.note(refusal: .unhandled, in: completion)
            }
        }
        for runner in route.runners { core.admit(action, to: runner, completion, submission, &result) }
    }
}

/// An action of any type whose reducers have run.
protocol AnyReduced {
    /// Reports the action to the observers, delivers it to the streams, and starts its sagas.
    func publish(in core: isolated Core, _ submission: borrowing Submission, _ result: inout DispatchResult)
}

extension Core {
    func report<A: Relux.Action>(
        _ action: A, as sequence: UInt64, on route: AnyRoute?, _ submission: borrowing Submission
    ) {
        reporter.reduced(
            action, numbered: sequence, on: route,
            from: submission.cause?.record
                ?? (submission.origin.run == 0 ? nil : runs.record(of: submission.origin.run)),
            at: submission.site, isPerformed: submission.output != nil, states
        )
    }
}
