/// The way of an action: check, intercept, reduce, publish, wake, seal.
extension Core {
    // MARK: The fast path

    /// Takes an action of a caller that has just entered, if it concerns nothing but reducers and observers.
    ///
    /// - Parameters:
    ///   - run: The run whose context is used; 0 for stores and dispatchers.
    ///   - address: The instance in which the action is dispatched; nil for the root.
    /// - Returns: The action's sequence number; 0 if it can't take this path. Nothing has happened then.
    // inline: an action of this kind costs little more than the calls that it consists of.
    @inline(__always)
    func dispatchFast<A: Relux.Action>(
        _ action: A, of run: RunID, in address: ScopeAddress?, at site: Relux.CallSite
    ) -> UInt64 {
        // As long as no halted run is still executing, the current task can't belong to one, and isn't looked up.
        guard allowsFastPath, !mailbox.isOccupied, run == 0 ? runs.allRunningAreLive : runs.isLive(run),
            let route = address == nil ? root.routes[A.self] : address?.fastRoute(for: A.self, in: self),
            route.isReducersOnly
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
        // Selections, and deinitialisers of values that are replaced, must not act on behalf of the run. Usually there
        // are none, and changing a task-local value costs more than the rest.
        if route.isPlain {
            if route.reduce(action) { CurrentRun.$handle.withValue(nil) { route.wakeReaders() } }
        } else {
            CurrentRun.$handle.withValue(nil) {
                if route.reduce(action) { route.wakeReaders() }
            }
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
        route.lend { route in reporter.reducedFromOutside(action, numbered: sequence, on: route, at: site, self) }
        if isAwaited { route.wakeReaders() }
        return sequence
    }

    // MARK: One action

    /// Takes an action.
    ///
    /// - Complexity: O(1), apart from the reducers, sagas, and waiting readers of this type of action.
    @discardableResult
    func dispatch<A: Relux.Action>(_ action: A, _ submission: borrowing Submission) -> DispatchResult {
        guard mayWrite(action, of: submission.origin, at: submission.site) else { return refused() }
        guard !middleware.isEmpty else { return take(action, in: submission.scope, submission) }
        switch intercept(action, submission) {
        case .unchanged: return take(action, in: submission.scope, submission)
        case .replaced(let replacement): return take(replacement, in: submission.scope, submission)
        case .dropped: return DispatchResult(disposition: .dropped)
        }
    }

    /// - Parameter scope: Where the action was dispatched, or the instance that it was addressed to.
    private func take<A: Relux.Action>(
        _ action: A, in scope: ScopeNode, _ submission: borrowing Submission
    ) -> DispatchResult {
        let (taker, reference) = scope.taker(of: A.self)
        // Held from here on: the step may close the scope that the route belongs to.
        let route = reference?.route
        if let addressed = addressed(action, route) {
            switch find(addressed, from: scope, submission) {
            case .scope(let instance): return takeInner(addressed.inner, in: instance, submission)
            case .missing(let missing): return DispatchResult(disposition: .noInstance(missing))
            }
        }
        sequence &+= 1
        let step = reduce(action, on: reference, route, in: taker)
        var result = DispatchResult(sequence: sequence)
        if let route, route.isReducersOnly, step.outward.isEmpty {
            if reporter.hasObservers { report(action, as: sequence, in: taker, on: route, [], submission) }
        } else {
            publish(action, as: sequence, in: taker, on: route, step.outward, submission, &result)
        }
        if step.isAwaited {
            route?.wakeReaders()
            for reduced in step.outward { reduced.route?.wakeReaders() }
        }
        if let completion = result.completion { seal(completion, submission) }
        return result
    }

    /// Runs the reducers of an action, in the scope that takes it and then in those around it, and opens and closes the
    /// instances that follow the states.
    @inline(__always)
    private func reduce<A: Relux.Action>(
        _ action: A, on reference: RouteReference?, _ route: AnyRoute?, in taker: ScopeNode
    ) -> OutwardTaken {
        var taken = OutwardTaken()
        if reference?.reduce(action) == true { taken.isAwaited = true }
        taker.outwardRoute(for: A.self)?.reduce(action, of: taker, &taken)
        if route?.concernsChildren == true || !taken.outward.isEmpty { followChildren(route, taken.outward) }
        return taken
    }

    private func takeInner(
        _ action: any Relux.Action, in scope: ScopeNode, _ submission: borrowing Submission
    ) -> DispatchResult {
        // Its run isn't started inline: the performing task knows only the type of the action around it.
        take(
            action, in: scope,
            Submission(
                submission.origin, in: submission.scope, at: submission.site, completion: submission.completion,
                output: submission.output, waiter: submission.waiter, cause: submission.cause
            ))
    }

    // MARK: Addressed actions

    /// The action, if it is addressed to an instance.
    @inline(__always)
    private func addressed<A: Relux.Action>(_ action: A, _ route: AnyRoute?) -> (any AnyChildAction)? {
        // Asking the type costs as much as a dispatch. A route has asked before.
        if let route, route.childAction == nil { return nil }
        return action as? any AnyChildAction
    }

    /// The instance that an action is addressed to. A missing one is reported.
    private func find(
        _ action: any AnyChildAction, from scope: ScopeNode, _ submission: borrowing Submission
    ) -> Place {
        if let instance = action.instance(from: scope) { return .scope(instance) }
        let missing = Relux.Scope(self, action.address(in: scope))
        reporter.refused(.noInstance(missing), action: action, at: submission.site)
        return .missing(missing)
    }

    @inline(never)
    private func followChildren(_ route: AnyRoute?, _ outward: [any AnyReduced]) {
        if let route, route.concernsChildren { route.cells.forEach { follow($0) } }
        for reduced in outward {
            if let route = reduced.route, route.concernsChildren { route.cells.forEach { follow($0) } }
        }
    }

    /// Whether the scope of a caller still exists: an earlier action of the step may have closed it. A closed one is
    /// reported.
    private func isOpen(_ scope: ScopeNode, for action: some Relux.Action, _ submission: borrowing Submission) -> Bool {
        guard !scope.isOpen, let address = scope.address else { return true }
        reporter.refused(.noInstance(Relux.Scope(self, address)), action: action, at: submission.site)
        return false
    }

    // MARK: Batches

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
        guard mayWrite(first, of: submission.origin, at: submission.site) else {
            for action in batch.dropFirst() { _ = mayWrite(action, of: submission.origin, at: submission.site) }
            return refused()
        }
        var step = BatchStep()
        // By index: an element is opened in place instead of being copied first.
        for index in batch.indices {
            guard !middleware.isEmpty else {
                reduce(batch[index], from: submission.scope, submission, in: &step)
                continue
            }
            switch intercept(batch[index], submission) {
            case .unchanged: reduce(batch[index], from: submission.scope, submission, in: &step)
            case .replaced(let replacement): reduce(replacement, from: submission.scope, submission, in: &step)
            case .dropped: break
            }
        }
        guard step.hasReduced else { return DispatchResult(disposition: step.disposition) }
        var result = DispatchResult(sequence: sequence)
        for reduced in step.reduced { reduced.publish(in: self, submission, &result) }
        for route in step.awaited { route.wakeReaders() }
        if let completion = result.completion { seal(completion, submission) }
        return result
    }

    /// A batch while its actions are being reduced.
    private struct BatchStep {
        var hasReduced = false
        /// What became of the last action that was not reduced.
        var disposition = DispatchResult.Disposition.dropped
        /// The actions that concern more than reducers.
        var reduced: [any AnyReduced] = []
        /// The routes with readers to wake.
        var awaited: [AnyRoute] = []
    }

    private func reduce<A: Relux.Action>(
        _ action: A, from scope: ScopeNode, _ submission: borrowing Submission, in step: inout BatchStep
    ) {
        guard isOpen(scope, for: action, submission) else { return }
        let (taker, reference) = scope.taker(of: A.self)
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
        let taken = reduce(action, on: reference, route, in: taker)
        if taken.isAwaited {
            if let route, step.awaited.last !== route { step.awaited.append(route) }
            step.awaited += taken.outward.compactMap(\.route)
        }
        if reporter.hasObservers || route?.isReducersOnly != true || !taken.outward.isEmpty {
            step.reduced.append(Reduced(action, as: sequence, in: taker, on: route, outward: taken.outward))
        }
    }

    // MARK: Refusals

    /// The scope in which a caller dispatches; nil if there is no such instance, which is reported.
    ///
    /// - Parameter result: What the caller receives if there is none.
    func scope(
        of origin: Origin, for action: some Relux.Action, at site: Relux.CallSite, _ result: inout DispatchResult
    ) -> ScopeNode? {
        switch place(of: origin) {
        case .scope(let scope):
            return scope
        case .missing(let missing):
            // The run of an instance that is gone hears that it can't write any more.
            if mayWrite(action, of: origin, at: site) {
                reporter.refused(.noInstance(missing), action: action, at: site)
                result.disposition = .noInstance(missing)
            } else {
                result = refused()
            }
            return nil
        }
    }

    /// Takes an action in the scope of its caller.
    ///
    /// - Parameter isAwaited: Whether the caller awaits what it triggers.
    @discardableResult
    func dispatch(
        _ action: some Relux.Action, of origin: Origin, at site: Relux.CallSite, isAwaited: Bool = false
    ) -> DispatchResult {
        var result = DispatchResult()
        guard let scope = scope(of: origin, for: action, at: site, &result) else { return result }
        return dispatch(action, Submission(origin, in: scope, at: site, isAwaited: isAwaited))
    }

    /// Takes actions in the scope of their caller, in one step.
    func dispatch(batch: [any Relux.Action], of origin: Origin, at site: Relux.CallSite) -> DispatchResult {
        var result = DispatchResult()
        guard let first = batch.first, let scope = scope(of: origin, for: first, at: site, &result) else {
            return result
        }
        return dispatch(batch: batch, Submission(origin, in: scope, at: site))
    }

    /// Takes actions of one type in the scope of their caller, in one step.
    func dispatch<C: Collection>(
        contentsOf batch: C, of origin: Origin, at site: Relux.CallSite
    ) -> DispatchResult where C.Element: Relux.Action {
        var result = DispatchResult()
        guard let first = batch.first, let scope = scope(of: origin, for: first, at: site, &result) else {
            return result
        }
        return dispatch(contentsOf: batch, Submission(origin, in: scope, at: site))
    }

    /// What the caller of a refused action receives.
    private func refused() -> DispatchResult {
        DispatchResult(disposition: phase == .open ? .refused : .storeShutDown)
    }

    /// Whether the store and the run in question still write. Otherwise, the refusal is reported.
    private func mayWrite(_ action: some Relux.Action, of origin: Origin, at site: Relux.CallSite) -> Bool {
        guard phase == .open else {
            reporter.refused(.storeShutDown, action: action, at: site)
            return false
        }
        return mayWrite(origin, action, at: site)
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
