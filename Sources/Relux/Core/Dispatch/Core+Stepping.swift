/// Making steps: everything that brings actions into the store goes through ``step(as:at:isAwaited:after:_:)``.
extension Core {
    /// Makes a step.
    ///
    /// The actions are taken one after the other, each with what rules add to it. An action is shown to the middleware,
    /// numbered, reduced, and delivered to the streams; the instances that follow the changed states are opened and
    /// closed; and the rules decide what follows. Only when all actions have been taken is anything visible: they are
    /// reported, their runs are started, and readers are woken.
    ///
    /// - Parameter deliver: Calls ``take(_:in:)`` for each action.
    @discardableResult
    func step(
        as origin: Origin, at site: Relux.CallSite, isAwaited: Bool = false, after cause: RunHandle? = nil,
        _ deliver: (isolated Core, inout Step) -> Void
    ) -> Receipt {
        // Without a scope, each action is refused.
        var step = Step(origin: origin, scope: refusal(of: origin) == nil ? scope(of: origin) : nil, site: site)
        step.isAwaited = isAwaited
        step.cause = cause
        actingRun = origin.run
        deliver(self, &step)
        actingRun = 0
        for reduction in step.reductions { publish(reduction, in: &step) }
        for route in step.routesToWake {
            for cell in route.cells { wakeReaders(of: cell.source) }
        }
        if let completion = step.receipt.completion {
            if let error = step.missingOutput { runs.updateSummary(of: completion.group) { $0.refusal = error } }
            // This includes a run that was superseded by what it performs: its task still awaits that.
            if step.output != nil { awaitOrAbandon(completion, by: origin.waiter, at: site) }
            carryOut(runs.seal(completion.group))
        }
        return step.receipt
    }

    // MARK: Admission

    /// Why a caller may not write any more; nil if it may.
    private func refusal(of origin: Origin) -> Relux.Refusal.Reason? {
        phase == .open ? staleRun(of: origin).map { .staleWrite($0) } : .storeShutDown
    }

    /// The run on whose behalf a caller would write, if it may not write any more. The only place that decides this:
    /// inside the store, as the write is taken.
    func staleRun(of origin: Origin) -> Relux.RunRecord? {
        guard origin.run != 0, !runs.isLive(origin.run) else { return nil }
        // A run that is gone without a context to its name has left its task behind, which now acts for nobody.
        return runs.record(of: origin.run) ?? origin.handle?.record
    }

    /// Whether a caller may still write. Otherwise, the refusal is reported.
    ///
    /// - Parameter action: What it wants to write, for the report.
    func mayWrite(_ origin: Origin, _ action: (any Relux.Action)? = nil, at site: Relux.CallSite?) -> Bool {
        guard let reason = refusal(of: origin) else { return true }
        reporter.refused(reason, action: action, at: site)
        return false
    }

    private func refuse(_ action: some Relux.Action, because reason: Relux.Refusal.Reason, in step: inout Step) {
        var isPerformed = false
        switch reason {
        case .storeShutDown: step.note(.storeShutDown)
        case .noInstance(let scope):
            step.note(.noInstance(scope))
            isPerformed = step.isPerforming
        default: step.note(.refused)
        }
        reporter.refused(reason, action: action, isPerformed: isPerformed, at: step.site)
    }

    // MARK: Taking

    /// Takes an action as a part of a step, as far as its reducers, and what rules add to it.
    ///
    /// - Complexity: O(1), apart from the reducers, children, and rules that this type of action concerns.
    func take<A: Relux.Action>(_ action: A, in step: inout Step) {
        guard let scope = step.scope else {
            let reason = refusal(of: step.origin) ?? .noInstance(Relux.Scope(self, step.origin.scope))
            return refuse(action, because: reason, in: &step)
        }
        pass(action, from: scope, in: &step)
        while let next = step.added.popLast() { add(next, to: &step) }
        step.follows = nil
    }

    /// Takes an action that a rule has added.
    private func add(_ added: Added, to step: inout Step) {
        step.additions += 1
        guard step.additions <= Relux.Rule.limit else {
            if step.additions == Relux.Rule.limit + 1 {
                reporter.refused(.endlessRules, action: added.action, at: step.site)
            }
            return step.added = []
        }
        step.follows = added.follows
        // The scope of the rule may have been closed since. The root never is.
        if let scope = added.scopes.first(where: \.isOpen) { pass(added.action, from: scope, in: &step) }
    }

    /// Passes an action on to the middleware, and what that lets through to the reducers.
    private func pass<A: Relux.Action>(_ action: A, from scope: ScopeNode, in step: inout Step) {
        guard !middleware.isEmpty else { return reduce(action, from: scope, in: &step) }
        guard let action = intercept(action, from: scope, step) else { return step.note(.dropped) }
        reduce(action, from: scope, in: &step)
    }

    /// Shows an action to the middleware.
    ///
    /// - Returns: The action or its replacement; nil if it was dropped, which is reported.
    private func intercept(
        _ action: any Relux.Action, from scope: ScopeNode, _ step: borrowing Step
    ) -> (any Relux.Action)? {
        func outputType<E: Relux.Effect>(of effect: E) -> Any.Type { E.Output.self }
        var current = action
        for one in middleware {
            switch one.intercept(current, Relux.StateReader(at: scope, in: self)) {
            case .proceed:
                continue
            case .drop(let reason):
                reporter.refused(.droppedByMiddleware(reason: reason), action: current, at: step.site)
                return nil
            case .replace(let replacement):
                let output = (replacement as? any Relux.Effect).map { outputType(of: $0) }
                guard !step.isPerforming || step.output == output else {
                    reporter.refused(.replacementWithoutOutput(replacement), action: current, at: step.site)
                    return nil
                }
                current = replacement
            }
        }
        return current
    }

    /// Looks up what takes an action.
    ///
    /// - Parameter scope: Where the action was dispatched, or the instance that it was addressed to.
    private func reduce<A: Relux.Action>(_ action: A, from scope: ScopeNode, in step: inout Step) {
        // An earlier action of the step may have closed it.
        guard scope.isOpen else {
            if let name = scope.name(in: self) { refuse(action, because: .noInstance(name), in: &step) }
            return
        }
        let (taker, route) = scope.destination(of: A.self)
        // Asking the type costs as much as a dispatch. A route has asked before.
        if route?.isAddressed ?? true, !takesAddressedActions {
            if let addressed = action as? any AnyChildAction {
                let (module, id) = (type(of: addressed).module, addressed.instanceID)
                let group = scope.innermostGroup(of: module)
                guard let instance = group?.instance(id) else {
                    let address = ScopeAddress(of: module, id: id, in: (group?.holder ?? scope).address)
                    return refuse(action, because: .noInstance(Relux.Scope(self, address)), in: &step)
                }
                return reduce(addressed.inner, from: instance, in: &step)
            }
            if let dismissal = action as? Relux.Dismissal {
                guard let address = dismissal.scope.address, dismissal.scope.core === self else {
                    return refuse(action, because: .notDismissible(dismissal.scope), in: &step)
                }
                guard let instance = address.resolve(from: root) else {
                    return refuse(action, because: .noInstance(dismissal.scope), in: &step)
                }
                let regular = instance.destination(of: A.self).route
                guard let holder = instance.parent, let dismissing = instance.dismissalRoute(heardBy: regular) else {
                    return refuse(action, because: .notDismissible(dismissal.scope), in: &step)
                }
                return reduce(action, in: holder, on: dismissing, &step)
            }
        }
        reduce(action, in: taker, on: route, &step)
    }

    /// Reduces an action, and delivers it to streams, children, and rules.
    ///
    /// - Parameter taker: The scope that takes it.
    private func reduce<A: Relux.Action>(_ action: A, in taker: ScopeNode, on route: Route?, _ step: inout Step) {
        sequence += 1
        if step.follows == nil { step.receipt.sequence = sequence }
        var concerns: Concerns = []
        var others: [Taken] = []
        if let route {
            concerns = route.reduce(action)
            if route.isHeard {
                for listener in route.listeners {
                    let concerns = listener.reduce(action)
                    others.append(Taken(action: action, scope: listener.scope, route: listener, concerns: concerns))
                    listener.deliver(action, number: sequence)
                }
                // The streams come before the instances: those of an instance that is closed now still get the action,
                // and those of one that is opened now don't.
                route.deliver(action, number: sequence)
            }
        }
        taker.group?.reduceOutward(action, of: taker, numbered: sequence, &others)
        guard !concerns.isEmpty || !others.isEmpty || route?.concernsOnlyReducers != true || reporter.hasObservers
        else { return }
        let taken = Taken(action: action, scope: taker, route: route, concerns: concerns)
        complete(Reduction(number: sequence, follows: step.follows, taken, others), &step)
    }

    /// Notes what a reduced action concerns apart from its reducers: readers, the instances that follow the changed
    /// states, and rules.
    private func complete(_ reduction: Reduction, _ step: inout Step) {
        var children: [any AnyChildrenBinding] = []
        reduction.forEach { taken in
            guard let route = taken.route else { return }
            if taken.concerns.contains(.readers) { step.routesToWake.append(route) }
            if taken.concerns.contains(.children) { children += route.children }
        }
        if !children.isEmpty { follow(children) }
        var added = added(by: reduction.taken, numbered: reduction.number)
        for other in reduction.others { added += self.added(by: other, numbered: reduction.number) }
        if !added.isEmpty { step.added += added.reversed() }
        step.reductions.append(reduction)
    }
}
