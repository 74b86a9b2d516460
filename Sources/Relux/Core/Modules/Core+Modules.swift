/// Registering and connecting modules.
extension Core {
    /// Connects modules and what they depend on at once, for a caller that can't await.
    func registerNow(_ modules: [any Relux.Module], at site: Relux.CallSite) throws(Relux.StoreError) {
        let plan = try ModulePlan(for: modules.map { ModuleBlueprint($0) }, in: root)
        if let entry = plan.entries.first(where: { !$0.blueprint.persistence.isEmpty }) {
            throw .needsLoading(entry.blueprint.module)
        }
        connect(plan, heldBy: .name, having: [:], at: site)
    }

    /// Connects what was planned. This can't fail.
    ///
    /// - Parameter loaded: The values of the states that were loaded for it.
    func connect(
        _ plan: borrowing ModulePlan, heldBy holder: ModuleRegistration.Holder, having loaded: [SavingPlace: Loaded],
        at site: Relux.CallSite
    ) {
        for entry in plan.entries { connect(entry, having: loaded, at: site) }
        // Only now, because an observer reads from the store as all of them leave it.
        for entry in plan.entries { announce(entry.registration, at: site) }
        for module in plan.shared { reporter.tell { $0.moduleShared(module) } }
        for registration in plan.listed { registration.hold(holder) }
        let first = plan.entries.first?.registration.generation ?? 0
        for entry in plan.entries { reportShadows(of: entry.registration, at: site, before: first) }
        // Only now, because a child may need any of these modules.
        follow(plan.entries.flatMap(\.registration.children))
    }

    func connect(_ entry: ModulePlan.Entry, having loaded: [SavingPlace: Loaded], at site: Relux.CallSite) {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        let scope = registration.content
        // An instance gets its number with the first module in it, which may be one that its own module depends on.
        if !scope.isRoot, scope.serial == 0 { scope.serial = nextSerial() }
        registration.connect(as: nextSerial())
        if registration.instance == nil {
            scope.modules[ObjectIdentifier(registration.module)] = registration
        } else {
            scope.open(as: registration, in: self)
        }
        connectStates(of: blueprint, registration, having: loaded, at: site)
        connectBehaviour(of: entry, at: site)
    }

    func announce(_ registration: ModuleRegistration, at site: Relux.CallSite) {
        let name = registration.content.name(in: self)
        reporter.tell(in: self) { $0.moduleRegistered(registration.module, in: name, leaving: $1) }
        startWatchers(of: registration, at: site)
    }

    private func connectStates(
        of blueprint: ModuleBlueprint, _ registration: ModuleRegistration, having loaded: [SavingPlace: Loaded],
        at site: Relux.CallSite
    ) {
        let scope = registration.content
        for state in blueprint.states {
            let persistence = ignoresPersistence ? nil : blueprint.persistence(of: type(of: state))
            let found = persistence.flatMap { loaded[SavingPlace(of: $0, in: scope.address)] }
            let given = givenStates.removeValue(forKey: ObjectIdentifier(type(of: state)))
            let cell = connect(state, startingAs: given ?? found?.value, registration)
            guard let persistence else { continue }
            connect(persistence, of: cell, in: scope, isGiven: given != nil, found, at: site)
        }
    }

    /// Connects what a module lists apart from its states.
    func connectBehaviour(of entry: ModulePlan.Entry, at site: Relux.CallSite) {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        for children in blueprint.children { connect(children.body, registration, at: site) }
        registration.reducers = blueprint.reducers
        for reducer in blueprint.reducers { connect(reducer.body, in: reducer.scope, registration) }
        for flow in blueprint.flows { connect(SagaRunner(flow, of: registration, id: nextSerial()), in: .lexical) }
        for saga in blueprint.sagas {
            connect(SagaRunner(saga, of: registration, id: nextSerial()), in: saga.listensTo)
        }
        for (index, rule) in blueprint.rules.enumerated() { connect(rule, at: index, registration) }
        if !registration.content.isRoot {
            // The action of an instance belongs to the scope around that, and is taken nowhere else.
            registration.lexicalActions = blueprint.handlers.filter {
                $0.scope == .lexical && !($0.action is any AnyChildAction.Type)
            }.map(\.action)
            registration.content.updateListeners()
        }
        registration.watchers = blueprint.watchers.map { (nextSerial(), $0) }
    }

    func startWatchers(
        of registration: ModuleRegistration, except running: Set<SagaID> = [], at site: Relux.CallSite
    ) {
        for (id, watcher) in registration.watchers where !running.contains(id) {
            start(watcher, as: id, in: registration.content, at: site)
        }
    }

    private func connect<S: Relux.State>(
        _ initial: S, startingAs given: (any Relux.State)?, _ registration: ModuleRegistration
    ) -> AnyStateCell {
        let (scope, key) = (registration.content, ObjectIdentifier(S.self))
        let cell = StateCell(initial, startingAs: given, of: registration)
        scope.cells[key] = cell
        registration.cells.append(cell)
        wakeReaders(of: scope.endAbsence(of: key))
        if S.Action.self != Never.self {
            route(for: S.Action.self, in: .lexical, registration).add(ReducerBinding(ownOf: cell))
        }
        return cell
    }

    /// The cell of a state that a module refers to. Its plan has made sure that there is one.
    private func cell<S: Relux.State>(of state: S.Type, for registration: ModuleRegistration) -> StateCell<S>? {
        registration.content.cell(of: ObjectIdentifier(state))?.typed(as: state)
    }

    /// The route to which a handler is added.
    private func route(
        for action: any Relux.Action.Type, in scope: Relux.HandlerScope, _ registration: ModuleRegistration
    ) -> Route {
        let content = registration.content
        let listens = scope == .enclosing && !content.isRoot
        let route = listens ? content.makeListeningRoute(for: action) : content.makeRoute(for: action)
        registration.routes.append(route)
        return route
    }

    private func connect<Body: ReducerBody>(
        _ body: Body, in scope: Relux.HandlerScope, _ registration: ModuleRegistration
    ) {
        guard let cell = cell(of: Body.S.self, for: registration) else { return }
        route(for: Body.A.self, in: scope, registration).add(ReducerBinding(cell, of: registration, body.reduce))
    }

    private func connect(_ rule: Relux.Rule, at index: Int, _ registration: ModuleRegistration) {
        func connect<Body: ActionRuleBody>(_ body: Body) {
            route(for: Body.A.self, in: rule.scope, registration).add(RuleBinding(body, of: registration, at: index))
        }
        func connect<Body: ChangeRuleBody>(_ body: Body) {
            guard let cell = cell(of: Body.S.self, for: registration) else { return }
            cell.rules.append(RuleBinding(body, onChangeOf: cell, of: registration, at: index))
            registration.ruledCells.append(cell)
        }
        switch rule.body {
        case .action(let body): connect(body)
        case .change(let body): connect(body)
        }
    }

    private func connect<Body: ChildrenBody>(
        _ body: Body, _ registration: ModuleRegistration, at site: Relux.CallSite
    ) {
        guard let cell = cell(of: Body.S.self, for: registration) else { return }
        let binding = ChildrenBinding(body, of: cell, in: registration.content, number: nextSerial(), at: site)
        registration.children.append(binding)
        cell.children.append(binding)
    }

    private func connect(_ runner: SagaRunner, in scope: Relux.HandlerScope) {
        route(for: runner.trigger, in: scope, runner.owner).add(runner)
        runner.owner.runners.append(runner)
    }

    // MARK: Shadows

    /// Reports the actions that modules inside instances take away from modules of other types outside, if the new
    /// module is one of either.
    ///
    /// - Parameter first: The generation of the first module that is new. The others are reported by themselves.
    private func reportShadows(of new: ModuleRegistration, at site: Relux.CallSite, before first: UInt64) {
        let content = new.content
        let inside = content.groups.isEmpty ? [] : content.descendants.flatMap(\.ownRegistrations)
        for inner in [new] + inside.filter({ $0.generation < first }) {
            for action in inner.lexicalActions
            where inner.content.routes[ObjectIdentifier(action)]?.stateOwner == nil {
                let taker = inner.content.parent?.outward.first { $0.handles(action) }
                let owners = taker?.handlers(of: action).filter { $0 != inner.module } ?? []
                guard let owner = inner === new ? owners.first : owners.first(where: { $0 == new.module }) else {
                    continue
                }
                reporter.refused(.shadows(action, in: inner.module, owner: owner), at: site)
            }
        }
    }
}
