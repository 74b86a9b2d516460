/// One step: the actions that a caller delivers together, how they arrive, and what has become of them so far.
///
/// A single action, a batch, an action from the mailbox, and the cleanup after a cancelled run are all steps.
struct Step {
    /// Whether the caller's actions are taken.
    enum Admission {
        /// In this scope.
        case scope(ScopeNode)
        case refused(Relux.Refusal.Reason)
    }

    let origin: Origin
    let admission: Admission
    let site: Relux.CallSite
    /// The output that `perform` promises; nil for all other verbs.
    var output: Any.Type?
    /// The nesting depth of a run that the performing task starts inline; 0 if runs start on the pool.
    var depth = 0
    /// Whether the caller awaits what the actions trigger, although it doesn't perform them.
    var isAwaited = false
    /// The cancelled run after which this step of the store's own cleans up.
    var cause: RunHandle?

    var receipt = Receipt()
    /// The actions whose reducers have run, and that concern more than reducers.
    fileprivate(set) var taken: [any AnyTaken] = []
    /// The routes of actions that have changed what a reader waits for.
    fileprivate(set) var routesToWake: [Route] = []
    /// Whose failure the awaiter of the triggered runs receives.
    var answer = GroupSummary.Answer.nobody

    /// The group of what is triggered, opened with the first run.
    mutating func openGroup(in core: isolated Core) -> Completion {
        if let open = receipt.completion { return open }
        let completion = core.runs.openGroup(answer: answer, core)
        receipt.completion = completion
        return completion
    }
}

/// What became of an action, or of those of a batch: the most serious.
struct Receipt: Sendable {
    enum Disposition: Sendable {
        case reduced
        case unhandled
        case dropped
        case refused
        // Indirect: it is rare, and would make every receipt larger.
        indirect case noInstance(Relux.Scope)
        case insideStore
        case storeShutDown
    }

    /// The number of the last action.
    var sequence: UInt64?
    private(set) var disposition = Disposition.reduced
    /// The end of what was triggered; nil if nothing was.
    var completion: Completion?

    init(_ disposition: Disposition = .reduced) {
        self.disposition = disposition
    }

    /// Notes what became of an action. A drop outweighs only success.
    mutating func note(_ new: Disposition) {
        switch (disposition, new) {
        case (.reduced, _), (_, .noInstance), (_, .unhandled): disposition = new
        default: break
        }
    }

    /// Why an effect that triggered nothing has no output.
    var refusal: Relux.EffectError {
        switch disposition {
        case .reduced, .unhandled, .insideStore: .unhandled
        case .dropped: .dropped
        case .noInstance(let scope): .noInstance(scope)
        case .refused: .cancelled
        case .storeShutDown: .storeShutDown
        }
    }
}

extension Core {
    /// Makes a step.
    ///
    /// The actions are taken one after the other: each is shown to the middleware, numbered, reduced, and delivered to
    /// the streams, and the instances that follow the changed states are opened and closed. Only then is anything
    /// visible: all actions are reported, their runs are started, and readers are woken.
    ///
    /// - Parameter deliver: Calls ``take(_:in:)`` for each action.
    @discardableResult
    func step(
        as origin: Origin, at site: Relux.CallSite, isAwaited: Bool = false, after cause: RunHandle? = nil,
        _ deliver: (isolated Core, inout Step) -> Void
    ) -> Receipt {
        var step = Step(origin: origin, admission: admission(of: origin), site: site)
        step.isAwaited = isAwaited
        step.cause = cause
        deliver(self, &step)
        for taken in step.taken { taken.publish(in: self, &step) }
        for route in step.routesToWake {
            for cell in route.cells { wakeReaders(of: cell.source) }
        }
        if let completion = step.receipt.completion {
            // This includes a run that was superseded by what it performs: its task still awaits that.
            if step.output != nil { awaitPerformed(completion, by: origin.waiter, at: site) }
            carryOut(runs.seal(completion.group))
        }
        return step.receipt
    }

    /// Makes a step of actions of one type.
    func step<A: Relux.Action>(
        _ batch: some Collection<A> & Sendable, as origin: Origin, at site: Relux.CallSite
    ) -> Receipt {
        step(as: origin, at: site) { core, step in
            for action in batch { core.take(action, in: &step) }
        }
    }

    // MARK: Admission

    private func admission(of origin: Origin) -> Step.Admission {
        if phase != .open { return .refused(.storeShutDown) }
        if let record = staleRun(of: origin) { return .refused(.staleWrite(record)) }
        switch place(of: origin) {
        case .scope(let scope): return .scope(scope)
        case .missing(let missing): return .refused(.noInstance(missing))
        }
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
        if phase != .open {
            reporter.refused(.storeShutDown, action: action, at: site)
            return false
        }
        guard let record = staleRun(of: origin) else { return true }
        reporter.refused(.staleWrite(record), action: action, at: site)
        return false
    }

    private func refuse(_ action: some Relux.Action, because reason: Relux.Refusal.Reason, in step: inout Step) {
        var isPerformed = false
        switch reason {
        case .storeShutDown: step.receipt.note(.storeShutDown)
        case .noInstance(let scope):
            step.receipt.note(.noInstance(scope))
            isPerformed = step.output != nil
        default: step.receipt.note(.refused)
        }
        reporter.refused(reason, action: action, isPerformed: isPerformed, at: step.site)
    }

    // MARK: Taking

    /// Takes an action as a part of a step, as far as its reducers.
    ///
    /// - Complexity: O(1), apart from the reducers and children that this type of action concerns.
    func take<A: Relux.Action>(_ action: A, in step: inout Step) {
        switch step.admission {
        case .refused(let reason): refuse(action, because: reason, in: &step)
        case .scope(let scope):
            guard !middleware.isEmpty else { return reduce(action, from: scope, in: &step) }
            guard let action = intercept(action, from: scope, step) else { return step.receipt.note(.dropped) }
            reduce(action, from: scope, in: &step)
        }
    }

    /// Shows an action to the middleware.
    ///
    /// - Returns: The action or its replacement; nil if it was dropped, which is reported.
    private func intercept(_ action: any Relux.Action, from scope: ScopeNode, _ step: Step) -> (any Relux.Action)? {
        func outputType(of action: any Relux.Action) -> Any.Type? {
            func opened<E: Relux.Effect>(_ effect: E) -> Any.Type { E.Output.self }
            return (action as? any Relux.Effect).map { opened($0) }
        }
        var current = action
        for one in middleware {
            switch one.intercept(current, Relux.StateReader(at: .scope(scope), in: self)) {
            case .proceed:
                continue
            case .drop(let reason):
                reporter.refused(.droppedByMiddleware(reason: reason), action: current, at: step.site)
                return nil
            case .replace(let replacement):
                guard step.output == nil || step.output == outputType(of: replacement) else {
                    reporter.refused(.replacementWithoutOutput(replacement), action: current, at: step.site)
                    return nil
                }
                current = replacement
            }
        }
        return current
    }

    /// - Parameter scope: Where the action was dispatched, or the instance that it was addressed to.
    private func reduce<A: Relux.Action>(_ action: A, from scope: ScopeNode, in step: inout Step) {
        // An earlier action of the step may have closed it.
        guard scope.isOpen else {
            if let name = scope.name(in: self) { refuse(action, because: .noInstance(name), in: &step) }
            return
        }
        let (taker, route) = scope.destination(of: A.self)
        // Asking the type costs as much as a dispatch. A route has asked before.
        if route.map({ $0.childAction != nil }) ?? true, !takesAddressedActions,
            let addressed = action as? any AnyChildAction
        {
            if let instance = addressed.instance(from: scope) {
                reduce(addressed.inner, from: instance, in: &step)
            } else {
                refuse(action, because: .noInstance(Relux.Scope(self, addressed.address(in: scope))), in: &step)
            }
            return
        }
        sequence += 1
        step.receipt.sequence = sequence
        var outward: [any AnyTaken] = []
        var children: [AnyChildrenBinding] = []
        if let route {
            if route.reduce(action) { step.routesToWake.append(route) }
            // The streams come before the instances: those of an instance that is closed now still get the action, and
            // those of one that is opened now don't.
            if route.hasStreams { route.deliver(action, number: sequence) }
            children = route.children
        }
        if let outwardRoute = taker.group?.outwardRoute(for: A.self) {
            outwardRoute.reduce(action, of: taker, numbered: sequence, &outward)
            step.routesToWake += outward.filter(\.isAwaited).compactMap(\.route)
            children += outward.compactMap(\.route).flatMap(\.children)
        }
        if !children.isEmpty { follow(children) }
        guard reporter.hasObservers || !outward.isEmpty || route?.concernsOnlyReducers != true else { return }
        step.taken.append(Taken(action, numbered: sequence, in: taker, on: route, outward: outward))
    }

    // MARK: Publishing

    /// Reports an action whose reducers have run, and starts its sagas.
    fileprivate func publish<A: Relux.Action>(_ taken: Taken<A>, _ step: inout Step) {
        let (action, scope, route) = (taken.action, taken.scope, taken.route)
        if reporter.hasObservers { report(taken, step) }
        let isEffect = route?.isEffect ?? (A.self is any Relux.Effect.Type)
        let hasFlow = route?.flow != nil
        let isPerformed = step.output != nil
        let isAnswered = !isPerformed || step.output == Void.self || hasFlow
        let hasRunners = route?.runners.isEmpty == false
        let isHandled =
            isEffect
            ? isAnswered && (hasRunners || taken.outward.contains { $0.route?.runners.isEmpty == false })
            : route?.isUnused == false || !taken.outward.isEmpty
        // The step itself has closed the instance, so that the sagas there don't start.
        let isCutOff = !scope.isOpen && hasRunners
        if !scope.isOpen {
            if isCutOff || isPerformed { step.receipt.note(.refused) }
        } else if !isHandled, !(A.self is any Relux.Broadcast.Type) {
            step.receipt.note(.unhandled)
            reporter.refused(
                isEffect ? .effectNotTaken : .actionNotTaken, action: action, isPerformed: isPerformed, at: step.site
            )
        }
        step.answer = !isPerformed || !isAnswered ? .nobody : hasFlow ? .flow : .sagas
        taken.startSagas(in: self, &step)
        for outer in taken.outward { outer.startSagas(in: self, &step) }
        if isPerformed, isCutOff || !isAnswered, let completion = step.receipt.completion {
            runs.updateSummary(of: completion.group) { $0.refusal = isCutOff ? .cancelled : .unhandled }
        }
    }

    private func report<A: Relux.Action>(_ taken: Taken<A>, _ step: Step) {
        let outward = taken.outward.compactMap(\.route)
        let record = Relux.ActionRecord(
            sequence: taken.number, action: taken.action, callSite: step.site,
            cause: step.cause?.record ?? runs.record(of: step.origin.run), time: clock.now(),
            states: (taken.route?.states ?? []) + outward.flatMap(\.states), scope: taken.scope.name(in: self),
            isPerformed: step.output != nil, isAwaited: step.isAwaited
        )
        reporter.reduced(record, in: self)
    }
}

/// An action whose reducers have run, with the route that was looked up for them.
final class Taken<A: Relux.Action>: AnyTaken {
    fileprivate let action: A
    /// 0 if this is what an action of an instance has become in the scope around it.
    fileprivate let number: UInt64
    /// The scope that takes the action.
    fileprivate let scope: ScopeNode
    let route: Route?
    let isAwaited: Bool
    /// What the action has become in the scopes around an instance, from the inside out.
    fileprivate let outward: [any AnyTaken]

    init(
        _ action: A, numbered number: UInt64 = 0, in scope: ScopeNode, on route: Route?, isAwaited: Bool = false,
        outward: [any AnyTaken] = []
    ) {
        (self.action, self.number, self.scope, self.route) = (action, number, scope, route)
        (self.isAwaited, self.outward) = (isAwaited, outward)
    }

    func publish(in core: isolated Core, _ step: inout Step) { core.publish(self, &step) }

    func startSagas(in core: isolated Core, _ step: inout Step) {
        // The step may have closed the scope.
        guard scope.isOpen else { return }
        for runner in route?.runners ?? [] { core.start(runner.typed(for: A.self), on: action, in: scope, &step) }
    }
}

/// An action of any type whose reducers have run.
protocol AnyTaken: AnyObject {
    /// Nil if nothing takes the action in its scope.
    var route: Route? { get }
    /// Whether a reader waits for a state that was reduced.
    var isAwaited: Bool { get }
    /// Reports the action, and starts its sagas.
    func publish(in core: isolated Core, _ step: inout Step)
    /// Starts its sagas. For what an action of an instance has become in a scope around it, which is not reported
    /// again.
    func startSagas(in core: isolated Core, _ step: inout Step)
}
