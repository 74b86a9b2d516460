/// The way of an action: check, intercept, reduce, publish, wake, seal.
extension Core {
    // MARK: The fast path

    /// Takes an action of a caller that has just entered, if it concerns nothing but reducers and observers.
    ///
    /// - Parameter run: The run whose context is used; 0 for stores and dispatchers.
    /// - Returns: The action's sequence number; 0 if it can't take this path. Nothing has happened then.
    // inline: an action of this kind costs little more than the calls that it consists of.
    @inline(__always)
    func dispatchFast<A: Relux.Action>(_ action: A, of run: RunID, at site: Relux.CallSite) -> UInt64 {
        // As long as no halted run is still executing, the current task can't belong to one, and isn't looked up.
        guard allowsFastPath, !mailbox.isOccupied, run == 0 ? runs.allRunningAreLive : runs.isLive(run),
            let route = routes[A.self], route.isReducersOnly
        else { return 0 }
        if CurrentRun.isPresent { return dispatchFastInRun(action, on: route) }
        if reporter.hasObservers { return dispatchFastObserved(action, on: route, at: site) }
        sequence &+= 1
        if route.reduce(action) { route.wakeReaders() }
        return sequence
    }

    /// The fast path in the task of a run.
    @inline(never)
    private func dispatchFastInRun<A: Relux.Action>(_ action: A, on route: RouteReference) -> UInt64 {
        // A record needs its cause, which the other path provides.
        guard !reporter.hasObservers else { return 0 }
        sequence &+= 1
        // Selections, and deinitialisers of values that are replaced, must not act on behalf of the run.
        CurrentRun.$handle.withValue(nil) {
            if route.reduce(action) { route.wakeReaders() }
        }
        return sequence
    }

    /// The fast path with observers.
    @inline(never)
    private func dispatchFastObserved<A: Relux.Action>(
        _ action: A, on route: RouteReference, at site: Relux.CallSite
    ) -> UInt64 {
        sequence &+= 1
        let isAwaited = route.reduce(action)
        route.lend { route in reporter.reducedFromOutside(action, numbered: sequence, on: route, at: site, states) }
        if isAwaited { route.wakeReaders() }
        return sequence
    }

    // MARK: One action

    /// Takes an action.
    ///
    /// - Complexity: O(1), apart from the reducers, sagas, and waiting readers of this type of action.
    @discardableResult
    func dispatch<A: Relux.Action>(_ action: A, _ submission: borrowing Submission) -> DispatchResult {
        guard mayWrite(action, submission) else { return refused() }
        guard !middleware.isEmpty else { return take(action, submission) }
        switch intercept(action, submission) {
        case .unchanged: return take(action, submission)
        case .replaced(let replacement): return take(replacement, submission)
        case .dropped: return DispatchResult(disposition: .dropped)
        }
    }

    private func take<A: Relux.Action>(_ action: A, _ submission: borrowing Submission) -> DispatchResult {
        let route = routes[A.self]
        sequence &+= 1
        let isAwaited = route?.reduce(action) == true
        var result = DispatchResult(sequence: sequence)
        if let route, route.isReducersOnly {
            if reporter.hasObservers { report(action, as: sequence, on: route.route, submission) }
        } else {
            publish(action, as: sequence, on: route?.route, submission, &result)
        }
        if isAwaited { route?.wakeReaders() }
        if let completion = result.completion { seal(completion, submission) }
        return result
    }

    // MARK: Batches

    /// Takes actions of one type in one step.
    ///
    /// - Complexity: O(n) in the number of actions, with one lookup for all of them.
    func dispatch<C: Collection>(contentsOf batch: C, _ submission: borrowing Submission) -> DispatchResult
    where C.Element: Relux.Action {
        if allowsFastPath, !reporter.hasObservers, submission.origin.run == 0 || runs.isLive(submission.origin.run),
            !batch.isEmpty,
            let route = routes[C.Element.self], route.isReducersOnly
        {
            return DispatchResult(sequence: reduce(contentsOf: batch, on: route))
        }
        return dispatch(batch: batch.map { $0 }, submission)
    }

    private func reduce<C: Collection>(contentsOf batch: C, on route: RouteReference) -> UInt64
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
        guard mayWrite(first, submission) else {
            for action in batch.dropFirst() { _ = mayWrite(action, submission) }
            return refused()
        }
        var step = BatchStep()
        // By index: an element is opened in place instead of being copied first.
        for index in batch.indices {
            guard !middleware.isEmpty else {
                reduce(batch[index], in: &step)
                continue
            }
            switch intercept(batch[index], submission) {
            case .unchanged: reduce(batch[index], in: &step)
            case .replaced(let replacement): reduce(replacement, in: &step)
            case .dropped: break
            }
        }
        guard step.hasReduced else { return DispatchResult(disposition: .dropped) }
        var result = DispatchResult(sequence: sequence)
        for reduced in step.reduced { reduced.publish(in: self, submission, &result) }
        for route in step.awaited { route.wakeReaders() }
        if let completion = result.completion { seal(completion, submission) }
        return result
    }

    /// A batch while its actions are being reduced.
    private struct BatchStep {
        var hasReduced = false
        /// The actions that concern more than reducers.
        var reduced: [any AnyReduced] = []
        /// The routes with readers to wake.
        var awaited: [AnyRoute] = []
    }

    private func reduce<A: Relux.Action>(_ action: A, in step: inout BatchStep) {
        sequence &+= 1
        step.hasReduced = true
        let route = routes[A.self]
        if let route, route.reduce(action), step.awaited.last !== route.route { step.awaited.append(route.route) }
        if reporter.hasObservers || route?.isReducersOnly != true {
            step.reduced.append(Reduced(action, as: sequence, on: route?.route))
        }
    }

    // MARK: Refusals

    /// What the caller of a refused action receives.
    private func refused() -> DispatchResult {
        DispatchResult(disposition: phase == .open ? .refused : .storeShutDown)
    }

    /// Whether the store and the run in question still write. Otherwise, the refusal is reported.
    private func mayWrite(_ action: some Relux.Action, _ submission: borrowing Submission) -> Bool {
        guard phase == .open else {
            reporter.refused(.storeShutDown, action: action, at: submission.site)
            return false
        }
        return mayWrite(submission.origin, action, at: submission.site)
    }

    /// Whether a run may still write. The only place that decides this: inside the store, as the write is taken.
    ///
    /// - Parameter action: What it wants to write. Evaluated only for the report.
    func mayWrite(
        _ origin: Origin, _ action: @autoclosure () -> (any Relux.Action)? = nil, at site: Relux.CallSite?
    ) -> Bool {
        guard origin.run != 0, !runs.isLive(origin.run) else { return true }
        // A run that is gone without a context to its name has left its task behind, which now acts for nobody.
        guard let record = runs.record(of: origin.run) ?? origin.handle?.record else { return true }
        reporter.refused(.staleWrite(record), action: action(), at: site)
        return false
    }
}
