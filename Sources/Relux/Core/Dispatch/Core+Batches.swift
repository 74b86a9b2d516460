/// Several actions in one step.
extension Core {
    /// Takes actions of one type in one step.
    ///
    /// - Complexity: O(n) in the number of actions, with one lookup for all of them.
    func dispatch<C: Collection>(contentsOf batch: C, _ submission: borrowing Submission) -> DispatchResult
    where C.Element: Relux.Action {
        if allowsFastPath, !reporter.hasObservers, submission.origin.run == 0 || runs.isLive(submission.origin.run),
            !batch.isEmpty,
            let route = submission.scope.fastRoute(for: C.Element.self), route.isReducersOnly
        {
            return DispatchResult(sequence: reduce(contentsOf: batch, on: route))
        }
        return dispatch(batch: batch.map { $0 }, submission)
    }

    func reduce<C: Collection>(contentsOf batch: C, on route: RouteReference) -> UInt64
    where C.Element: Relux.Action {
        var isAwaited = false
        let wasContiguous: Void? = batch.withContiguousStorageIfAvailable { actions in
            sequence &+= UInt64(actions.count)
            for index in 0..<actions.count where route.reduce(actions[index]) { isAwaited = true }
        }
        if wasContiguous == nil {
            for action in batch {
                sequence &+= 1
                if route.reduce(action) { isAwaited = true }
            }
        }
        if isAwaited { route.wakeReaders() }
        return sequence
    }

    /// Takes actions of any types in one step: all are reduced before anything else sees a result.
    ///
    /// - Complexity: O(n) in the number of actions, with one lookup for each.
    func dispatch(batch: [any Relux.Action], _ submission: borrowing Submission) -> DispatchResult {
        guard let first = batch.first else { return DispatchResult() }
        guard mayWrite(first, of: submission.origin, at: submission.site) else {
            for action in batch.dropFirst() { _ = mayWrite(action, of: submission.origin, at: submission.site) }
            return refused()
        }
        var step = BatchStep()
        // Without middleware and observers, an action that concerns only reducers needs nothing else.
        step.allowsFastPath = allowsFastPath && !reporter.hasObservers
        // By index: an element is opened in place instead of being copied first.
        for index in batch.indices {
            guard !middleware.isEmpty else {
                reduce(batch[index], from: submission.scope, submission, in: &step)
                continue
            }
            switch intercept(batch[index], submission) {
            case .unchanged: reduce(batch[index], from: submission.scope, submission, in: &step)
            case .replaced(let replacement): reduce(replacement, from: submission.scope, submission, in: &step)
            case .dropped: step.noteDropped()
            }
        }
        guard step.hasReduced else { return DispatchResult(disposition: step.disposition) }
        var result = DispatchResult(sequence: sequence, disposition: step.disposition)
        for reduced in step.reduced { reduced.publish(in: self, submission, &result) }
        for route in step.awaited { route.wakeReaders() }
        if let completion = result.completion { seal(completion, submission) }
        return result
    }

    /// A batch while its actions are being reduced.
    private struct BatchStep {
        var allowsFastPath = false
        var hasReduced = false
        /// What became of an action that was not reduced; `reduced` if all were. A missing instance outweighs a drop.
        var disposition = DispatchResult.Disposition.reduced
        /// The actions that concern more than reducers.
        var reduced: [any AnyReduced] = []
        /// The routes with readers to wake.
        var awaited: [AnyRoute] = []

        mutating func noteDropped() {
            if case .reduced = disposition { disposition = .dropped }
        }
    }

    private func reduce<A: Relux.Action>(
        _ action: A, from scope: ScopeNode, _ submission: borrowing Submission, in step: inout BatchStep
    ) {
        // A closed scope has no routes.
        if step.allowsFastPath, let route = scope.fastRoute(for: A.self), route.isReducersOnly {
            sequence &+= 1
            step.hasReduced = true
            if route.reduce(action), step.awaited.last !== route.route { step.awaited.append(route.route) }
            return
        }
        guard isOpen(scope, for: action, submission) else {
            if let address = scope.address { step.disposition = .noInstance(Relux.Scope(self, address)) }
            return
        }
        let (destination, reference) = scope.destination(of: A.self)
        let route = reference?.route
        if let addressed = addressed(action, route) {
            switch find(addressed, from: scope, submission) {
            case .scope(let instance): reduce(addressed.inner, from: instance, submission, in: &step)
            case .missing(let missing): step.disposition = .noInstance(missing)
            }
            return
        }
        sequence &+= 1
        step.hasReduced = true
        let taken = reduce(action, on: reference, route, in: destination)
        if taken.isAwaited {
            if let route, step.awaited.last !== route { step.awaited.append(route) }
            step.awaited += taken.outward.compactMap(\.route)
        }
        if reporter.hasObservers || route?.isReducersOnly != true || !taken.outward.isEmpty {
            step.reduced.append(Reduced(action, as: sequence, in: destination, on: route, outward: taken.outward))
        }
    }
}
