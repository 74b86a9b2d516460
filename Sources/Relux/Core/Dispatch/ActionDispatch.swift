/// Dispatch: which scope takes an action, what it is reduced by, and what follows it.
///
/// - Owns: the numbers of actions, the middleware, and, in the slots of the scopes, the routes with their reducers,
///   rules, sagas, and streams.
/// - Promises: an action is shown to the middleware, looked up, numbered, reduced, and delivered to the streams, in
///   this order, and no state that it leaves is visible before its step is complete.
/// - Called by: the core, which makes the steps: it lets instances follow between the reducers and the rules, and
///   starts the sagas at the end. The modules add and remove reducers, rules, and sagas.
///
/// - Isolation: The core's.
final class ActionDispatch {
    let readers: Readers
    private var reporter: Reporter { readers.reporter }
    private var middleware: [any Relux.Middleware]
    private let hasMiddleware: Bool
    /// Whether actions that are addressed to instances are taken where they are dispatched.
    private let takesAddressedActions: Bool
    /// The subscriptions of streams, which the core makes and ends.
    let streams = ActionStreams()
    /// The number of the last action.
    // exclusivity(unchecked): a number, which no access holds on to.
    @exclusivity(unchecked) private(set) var sequence: UInt64 = 0

    init(_ readers: Readers, _ middleware: [any Relux.Middleware], takingAddressedActions: Bool) {
        (self.readers, self.middleware, takesAddressedActions) = (readers, middleware, takingAddressedActions)
        hasMiddleware = !middleware.isEmpty
    }

    /// Releases the middleware, which may hold a dispatcher, and therefore this store.
    func releaseMiddleware() { middleware = [] }

    // MARK: Taking

    /// Takes an action that the caller has listed as a part of a step, as far as its reducers and streams.
    ///
    /// - Complexity: O(1), apart from the reducers that this type of action concerns.
    ///
    /// - Parameter place: Where the action is looked up; nil for the scope of the step.
    func take<A: Relux.Action>(_ action: A, from place: ScopeNode? = nil, in step: inout Step) {
        switch step.target {
        case .scope(let scope): pass(action, from: place ?? scope, in: &step)
        case .refused(let reason): refuse(action, because: reason, in: &step)
        }
    }

    /// Lets the rules for the last action decide, and takes the next action that rules have added.
    func proceed(_ step: inout Step) {
        if let reduction = step.open.take() { step.added += reduction.all.flatMap(decide).reversed() }
        guard let next = step.added.popLast() else { return }
        if next.counts { step.additions += 1 }
        guard !next.counts || step.additions <= Relux.Rule.limit else {
            if step.additions == Relux.Rule.limit + 1 {
                reporter.refused(.endlessRules, action: next.action, at: step.site)
            }
            return step.added.removeAll { $0.counts }
        }
        step.follows = next.follows
        // The scope of the rule may have been closed since. The root never is.
        if let scope = next.scopes.first(where: \.isOpen) { pass(next.action, from: scope, in: &step) }
    }

    private func refuse(_ action: some Relux.Action, because reason: Relux.Refusal.Reason, in step: inout Step) {
        var isPerformed = false
        switch reason {
        case .storeShutDown: step.note(.storeShutDown)
        case .noInstance(let scope), .instanceLoading(let scope, _):
            step.note(.noInstance(scope))
            isPerformed = step.isPerforming
        default: step.note(.cancelled)
        }
        reporter.refused(reason, action: action, isPerformed: isPerformed, at: step.site)
    }

    /// Passes an action on to the middleware, and what that lets through to the reducers.
    private func pass<A: Relux.Action>(_ action: A, from scope: ScopeNode, in step: inout Step) {
        guard hasMiddleware else { return reduce(action, from: scope, in: &step) }
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
            switch one.intercept(current, readers.reader(at: scope)) {
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
        // As most actions. A closed scope has no routes.
        if let route = scope.route(for: A.self), route.isTaken, !route.isAddressed {
            return reduce(action, in: scope, on: route, &step)
        }
        // An earlier action of the step may have closed it.
        guard scope.isOpen else {
            if let name = scope.name(in: readers.core) { refuse(action, because: .noInstance(name), in: &step) }
            return
        }
        let (taker, route) = scope.destination(of: A.self)
        // Asking the type costs as much as a dispatch. A route has asked before.
        if route?.isAddressed ?? true, !takesAddressedActions {
            if let addressed = action as? any AnyChildAction {
                let (module, id) = (type(of: addressed).module, addressed.instanceID)
                let group = scope.innermostGroup(of: module, for: id)
                guard let instance = group?.instance(id) else {
                    let address = ScopeAddress(of: module, id: id, in: (group?.holder ?? scope).address)
                    let missing = Relux.Scope(readers.core, address)
                    return refuse(action, because: readers.absence(of: missing), in: &step)
                }
                return reduce(addressed.inner, from: instance, in: &step)
            }
            if let dismissal = action as? Relux.Dismissal { return dismiss(dismissal, in: &step) }
        }
        reduce(action, in: taker, on: route, &step)
    }

    private func dismiss(_ action: Relux.Dismissal, in step: inout Step) {
        let address = action.scope.core === readers.core ? action.scope.address : nil
        let instance = address.flatMap { readers.tree.resolve($0) }
        if let instance, let holder = instance.parent, let route = dismissalRoute(of: instance, in: holder) {
            return reduce(action, in: holder, on: route, &step)
        }
        let isMissing = address != nil && instance == nil
        refuse(
            action, because: isMissing ? readers.absence(of: action.scope) : .notDismissible(action.scope), in: &step)
    }

    /// The route that dismisses an instance: its only reducer removes the instance from the state that has opened it.
    ///
    /// - Returns: Nil if the instance can't be dismissed.
    private func dismissalRoute(of instance: ScopeNode, in holder: ScopeNode) -> Route? {
        guard let dismissal = instance.dismissal else { return nil }
        let route = Route(of: Relux.Dismissal.self, in: holder)
        route.add(dismissal)
        if let regular = instance.destination(of: Relux.Dismissal.self).route {
            // Not by their scopes: two of them may be of the same one.
            for listener in [regular] + regular.listeners.elements { route.listeners.append(listener) }
        }
        return route
    }

    /// Reduces an action, and delivers it to streams.
    ///
    /// - Parameter taker: The scope that takes it.
    private func reduce<A: Relux.Action>(_ action: A, in taker: ScopeNode, on route: Route?, _ step: inout Step) {
        sequence += 1
        if step.follows == nil { step.receipt.sequence = sequence }
        var concerns: Concerns = []
        var others: [Reduction] = []
        if let route {
            concerns = route.reduce(action, numbered: sequence, noting: readers)
            if route.isHeard { others = route.listeners.elements.map { reduceToo(action, on: $0, step) } }
        }
        if taker.group?.outward.isEmpty == false { reduceOutward(action, of: taker, &others, step) }
        if concerns.isEmpty, others.isEmpty, route?.concernsOnlyReducers == true, !reporter.hasObservers { return }
        let reduction = Reduction(
            of: action, numbered: sequence, following: step.follows, in: taker, on: route, concerning: concerns,
            beside: others
        )
        complete(reduction, of: reduction, in: &step)
        for other in others { complete(other, of: reduction, in: &step) }
        step.reductions.append(reduction)
    }

    /// Reduces an action where it isn't looked up, and delivers it to the streams there.
    private func reduceToo<A: Relux.Action>(_ action: A, on route: Route, _ step: borrowing Step) -> Reduction {
        let concerns = route.reduce(action, numbered: sequence, noting: readers)
        return Reduction(
            of: action, numbered: sequence, following: step.follows, in: route.scope, on: route, concerning: concerns
        )
    }

    /// Reduces an action of an instance in the scopes around it, from the inside out, and delivers it to the streams
    /// there.
    private func reduceOutward<A: Relux.Action>(
        _ action: A, of child: ScopeNode, _ reductions: inout [Reduction], _ step: borrowing Step
    ) {
        guard let route = child.group?.outward[Slot.number(of: A.self)] as? Route, let id = child.address?.id,
            let wrapped = route.childAction?.wrap(action, ofInstance: id)
        else { return }
        reductions.append(reduceToo(wrapped, on: route, step))
        reduceOutward(wrapped, of: route.scope, &reductions, step)
    }

    /// Notes what a reduced action concerns in its scope, apart from its reducers.
    ///
    /// - Parameter whole: The reduction of the action where it was looked up.
    private func complete(_ reduction: Reduction, of whole: Reduction, in step: inout Step) {
        guard let route = reduction.route else { return }
        if !reduction.concerning.isEmpty || !route.rules.isEmpty { step.open = whole }
        // They start at the end of the step, but hear everything from here on.
        for runner in route.startsListening ? route.runners : [] {
            reduction.kept[ObjectIdentifier(runner)] = streams.listen(to: runner.listens, in: reduction.scope)
        }
    }

    // MARK: Rules

    /// The decisions of the rules for an action, in order.
    private func decide(on reduction: Reduction) -> [AddedAction] {
        // The rules of an instance that has closed itself have gone with it.
        let own = reduction.scope.isOpen ? reduction.route?.rules ?? [] : []
        let onChanges = reduction.concerning.flatMap(\.ruleBindings)
        guard !own.isEmpty || !onChanges.isEmpty else { return [] }
        // As their modules were registered, and as those list them.
        let rules = (own + onChanges).sorted { ($0.owner.generation, $0.index) < ($1.owner.generation, $1.index) }
        return rules.flatMap { rule in
            let actions = rule.decide(reduction.action, readers.reader(at: rule.owner.content))
            guard !actions.isEmpty else { return [AddedAction]() }
            let scopes = Array(rule.owner.content.outward)
            return actions.map { AddedAction(action: $0, follows: reduction.number, scopes: scopes) }
        }
    }
}
