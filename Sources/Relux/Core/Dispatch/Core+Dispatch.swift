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
    func dispatchFastInRun<A: Relux.Action>(_ action: A, on route: RouteReference) -> UInt64 {
        // A record needs its cause, which the other path provides.
        guard !reporter.hasObservers else { return 0 }
        sequence &+= 1
        // Selections, and deinitialisers of values that are replaced, must not act on behalf of the run. Usually there
        // are none, and changing a task-local value costs more than the rest.
        if route.isPlain {
            if route.reduce(action) { CurrentRun.$identity.withValue(.none) { route.wakeReaders() } }
        } else {
            CurrentRun.$identity.withValue(.none) {
                if route.reduce(action) { route.wakeReaders() }
            }
        }
        return sequence
    }

    /// The fast path with observers.
    @inline(never)
    func dispatchFastObserved<A: Relux.Action>(
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
    func take<A: Relux.Action>(
        _ action: A, in scope: ScopeNode, _ submission: borrowing Submission
    ) -> DispatchResult {
        takePlainEffect(action, in: scope, submission) ?? takeInSteps(action, in: scope, submission)
    }

    /// Takes an action of any kind.
    // inline(never): what this needs would otherwise be prepared for plain effects, too.
    @inline(never)
    private func takeInSteps<A: Relux.Action>(
        _ action: A, in scope: ScopeNode, _ submission: borrowing Submission
    ) -> DispatchResult {
        let (destination, reference) = scope.destination(of: A.self)
        // Held from here on: the step may close the scope that the route belongs to.
        let route = reference?.route
        if let addressed = addressed(action, route) {
            switch find(addressed, from: scope, submission) {
            case .scope(let instance): return take(addressed.inner, in: instance, submission)
            case .missing(let missing): return DispatchResult(disposition: .noInstance(missing))
            }
        }
        sequence &+= 1
        let step = reduce(action, on: reference, route, in: destination)
        var result = DispatchResult(sequence: sequence)
        if let route, route.isReducersOnly, step.outward.isEmpty {
            if reporter.hasObservers { report(action, as: sequence, in: destination, on: route, [], submission) }
        } else {
            publish(action, as: sequence, in: destination, on: route, step.outward, submission, &result)
        }
        if step.isAwaited {
            route?.wakeReaders()
            for reduced in step.outward { reduced.route?.wakeReaders() }
        }
        if let completion = result.completion { seal(completion, submission) }
        return result
    }

    /// Takes an effect that concerns nothing but reducers and sagas, as most do, without the detours of ``publish``.
    ///
    /// - Returns: Nil, and nothing has happened, for any other action.
    @inline(__always)
    private func takePlainEffect<A: Relux.Action>(
        _ action: A, in scope: ScopeNode, _ submission: borrowing Submission
    ) -> DispatchResult? {
        guard !reporter.hasObservers, let route = scope.fastRoute(for: A.self),
            route.takesPlainEffect(promising: submission.output)
        else { return nil }
        var result = DispatchResult()
        // Lent: nothing in here closes a scope.
        route.lend { result = takePlainEffect(action, on: $0.route(for: A.self), in: scope, submission) }
        return result
    }

    private func takePlainEffect<A: Relux.Action>(
        _ effect: A, on route: Route<A>, in scope: ScopeNode, _ submission: borrowing Submission
    ) -> DispatchResult {
        sequence &+= 1
        let number = sequence
        let isAwaited = route.reduce(effect)
        let completion = Completion(
            self, answer: submission.output == nil ? .nobody : route.hasFlow ? .flow : .sagas
        )
        runs.open(completion)
        // By index: an iterator would retain the array.
        for index in route.runners.indices {
            admit(effect, to: route.runners[index], in: scope, completion, submission)
        }
        if isAwaited { route.wakeReaders() }
        seal(completion, submission)
        return DispatchResult(sequence: number, completion: completion)
    }

    /// Runs the reducers of an action, in the scope that takes it and then in those around it, delivers it to the
    /// streams there, and opens and closes the instances that follow the states.
    ///
    /// The streams come before the instances: those of an instance that is closed now still get the action, and those
    /// of one that is opened now don't.
    @inline(__always)
    func reduce<A: Relux.Action>(
        _ action: A, on reference: RouteReference?, _ route: AnyRoute?, in taker: ScopeNode
    ) -> OutwardTaken {
        var taken = OutwardTaken()
        if reference?.reduce(action) == true { taken.isAwaited = true }
        if let route, !route.streams.isEmpty { route.route(for: A.self).deliver(action) }
        taker.outwardRoute(for: A.self)?.reduce(action, of: taker, &taken)
        if route?.concernsChildren == true || !taken.outward.isEmpty { followChildren(route, taken.outward) }
        return taken
    }
}
