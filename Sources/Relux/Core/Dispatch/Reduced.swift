/// An action whose reducers have run, with the route that was looked up for them.
final class Reduced<A: Relux.Action>: AnyReduced {
    private let action: A
    /// 0 if this is what an action of an instance has become in the scope around it.
    private let sequence: UInt64
    /// The scope that takes the action.
    private let scope: ScopeNode
    /// Nil if nothing takes the action there.
    let route: AnyRoute?
    /// What the action has become in the scopes around an instance.
    private let outward: [any AnyReduced]

    init(
        _ action: A, as sequence: UInt64, in scope: ScopeNode, on route: AnyRoute?, outward: [any AnyReduced] = []
    ) {
        self.action = action
        self.sequence = sequence
        self.scope = scope
        self.route = route
        self.outward = outward
    }

    func publish(in core: isolated Core, _ submission: borrowing Submission, _ result: inout DispatchResult) {
        core.publish(action, as: sequence, in: scope, on: route, outward, submission, &result)
    }

    func startOuterSagas(
        in core: isolated Core, answer: GroupSummary.Answer, _ submission: borrowing Submission,
        _ result: inout DispatchResult
    ) {
        guard let route else { return }
        core.startSagas(of: action, on: route, in: scope, answer: answer, submission, &result)
    }
}

/// An action of any type whose reducers have run.
protocol AnyReduced: AnyObject {
    var route: AnyRoute? { get }

    func publish(in core: isolated Core, _ submission: borrowing Submission, _ result: inout DispatchResult)

    /// The same for what an action of an instance has become in a scope around it, which is not reported again.
    func startOuterSagas(
        in core: isolated Core, answer: GroupSummary.Answer, _ submission: borrowing Submission,
        _ result: inout DispatchResult
    )
}
