/// An action of a batch whose reducers have run, with the route that was looked up for them.
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
        core.publish(action, as: sequence, on: route, submission, &result)
    }
}

/// An action of any type whose reducers have run.
protocol AnyReduced {
    func publish(in core: isolated Core, _ submission: borrowing Submission, _ result: inout DispatchResult)
}
