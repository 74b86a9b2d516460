/// Actions that are addressed to an instance, and what a step does to instances.
extension Core {
    /// The action, if it is addressed to an instance.
    @inline(__always)
    func addressed<A: Relux.Action>(_ action: A, _ route: AnyRoute?) -> (any AnyChildAction)? {
        // Asking the type costs as much as a dispatch. A route has asked before.
        if let route, route.childAction == nil { return nil }
        if takesAddressedActions { return nil }
        return action as? any AnyChildAction
    }

    /// The instance that an action is addressed to. A missing one is reported.
    func find(
        _ action: any AnyChildAction, from scope: ScopeNode, _ submission: borrowing Submission
    ) -> Place {
        if let instance = action.instance(from: scope) { return .scope(instance) }
        let missing = Relux.Scope(self, action.address(in: scope))
        reporter.refused(
            .noInstance(missing), action: action, isPerformed: submission.output != nil, at: submission.site
        )
        return .missing(missing)
    }

    @inline(never)
    func followChildren(_ route: AnyRoute?, _ outward: [any AnyReduced]) {
        var cells: [AnyStateCell] = []
        if let route, route.concernsChildren { cells += route.cells }
        for reduced in outward {
            if let route = reduced.route, route.concernsChildren { cells += route.cells }
        }
        follow(cells)
    }

    /// Whether the scope of a caller still exists: an earlier action of the step may have closed it. A closed one is
    /// reported.
    func isOpen(_ scope: ScopeNode, for action: some Relux.Action, _ submission: borrowing Submission) -> Bool {
        guard !scope.isOpen, let address = scope.address else { return true }
        reporter.refused(
            .noInstance(Relux.Scope(self, address)), action: action, isPerformed: submission.output != nil,
            at: submission.site
        )
        return false
    }
}
