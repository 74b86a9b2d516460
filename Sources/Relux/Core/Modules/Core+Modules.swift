/// Registering and connecting modules.
extension Core {
    /// How a caller holds a module.
    enum Hold {
        case name
        /// A lease, or the children of a state. The number is unique in the store.
        case number(UInt64)
    }

    /// Connects modules and what they depend on in the caller's scope, all or nothing.
    ///
    /// - Returns: The listed modules.
    func register(
        _ modules: [any Relux.Module], holding hold: Hold, as origin: Origin, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> [ModuleRegistration] {
        try register(modules, holding: hold, in: scopeToChange(as: origin, at: site), at: site)
    }

    /// The scope in which a caller changes what is registered.
    func scopeToChange(as origin: Origin, at site: Relux.CallSite) throws(Relux.StoreError) -> ScopeNode {
        guard phase == .open else {
            reporter.refused(.storeShutDown, at: site)
            throw .storeShutDown(at: site)
        }
        if !mayWrite(origin, at: site), let record = runs.record(of: origin.run) ?? origin.handle?.record {
            throw .staleRun(record, at: site)
        }
        switch place(of: origin) {
        case .scope(let scope):
            return scope
        case .missing(let missing):
            reporter.refused(.noInstance(missing), at: site)
            throw .noInstance(missing, at: site)
        }
    }

    /// Connects modules and what they depend on, all or nothing.
    func register(
        _ modules: [any Relux.Module], holding hold: Hold, in scope: ScopeNode, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> [ModuleRegistration] {
        let plan = try ModulePlan(for: modules, in: scope, allowingFlowsOfChildActions: takesAddressedActions)
        for entry in plan.entries { connect(entry, at: site) }
        for module in plan.shared { reporter.tell { observer in observer.moduleShared(module) } }
        for registration in plan.listed {
            switch hold {
            case .name: registration.owners += 1
            case .number(let number): registration.holds.insert(number)
            }
        }
        // Only now, because a child may need any of these modules.
        follow(plan.entries.flatMap(\.registration.connections.children))
        return plan.listed
    }

    func connect(_ entry: ModulePlan.Entry, at site: Relux.CallSite) {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        registration.connect(as: nextSerial())
        let isFirst = addToScope(registration)
        let scope = registration.content
        for state in blueprint.states { connect(state, registration) }
        connectBehaviour(of: entry, at: site)
        if reporter.hasObservers {
            reporter.registered(blueprint.module, in: registration.scope(in: self), self)
        }
        wakeReaders(ofAdded: registration.connections.cells, in: scope)
        if isFirst { wakeReaders(ofFirst: registration.module, in: registration.holder) }
        startWatchers(of: registration, at: site)
    }

    /// Connects what a module lists apart from its states.
    func connectBehaviour(of entry: ModulePlan.Entry, at site: Relux.CallSite) {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        for children in blueprint.children { connect(children.body, registration, at: site) }
        for reducer in blueprint.reducers { connect(reducer.body, registration) }
        for flow in blueprint.flows { connect(flow, registration) }
        for saga in blueprint.sagas { connect(saga, registration) }
        for watcher in blueprint.watchers { registration.connections.watchers.append((nextSerial(), watcher)) }
    }

    func startWatchers(of registration: ModuleRegistration, at site: Relux.CallSite) {
        for (id, watcher) in registration.connections.watchers {
            start(watcher, as: id, in: registration.content, at: site)
        }
    }

    /// - Returns: Whether this is the first instance of its module in the scope.
    private func addToScope(_ registration: ModuleRegistration) -> Bool {
        guard let instance = registration.instance else {
            registration.holder.modules.insert(registration)
            return false
        }
        let group = registration.holder.makeGroup(of: registration.module, in: self)
        instance.open(in: group, as: registration, in: self)
        group.insert(instance)
        return group.count == 1
    }

    private func connect<S: Relux.State>(_ initial: S, _ registration: ModuleRegistration) {
        let cell = registration.content.states.makeCell(
            initial, startingAs: takeGivenState(of: S.self), of: registration.module, serial: nextSerial()
        )
        registration.connections.cells.append(cell)
        guard S.Action.self != Never.self else { return }
        connect(OwnReducerBinding(cell), registration)
    }

    private func connect<Body: ReducerBody>(_ body: Body, _ registration: ModuleRegistration) {
        guard let cell = registration.content.cell(of: Body.S.self) else { return }
        connect(AddedReducerBinding(cell, body.reduce), registration)
    }

    private func connect<A: Relux.Action>(_ binding: ReducerBinding<A>, _ registration: ModuleRegistration) {
        binding.order = registration.generation
        let key = ObjectIdentifier(A.self)
        if registration.instance == nil, !registration.connections.reduced.contains(key) {
            registration.connections.reduced.append(key)
        }
        registration.content.makeRoute(for: A.self, in: self).add(binding)
    }

    private func connect<Body: ChildrenBody>(
        _ body: Body, _ registration: ModuleRegistration, at site: Relux.CallSite
    ) {
        let scope = registration.content
        guard let cell = scope.cell(of: Body.S.self) else { return }
        let binding = ChildrenBinding(body, of: cell, in: scope, number: nextSerial(), at: site)
        registration.connections.children.append(binding)
        let isFirst = !cell.hasChildren
        cell.add(binding)
        // The state may belong to another module, whose actions have their routes already.
        if isFirst { updateRoutes(of: cell, in: scope) }
    }

    /// Brings the routes up to date that know whether instances follow a state.
    func updateRoutes(of cell: AnyStateCell, in scope: ScopeNode) {
        guard let owner = scope.outward.first(where: { $0.states.cell(of: ObjectIdentifier(cell.state)) === cell })
        else { return }
        for scope in [owner] + owner.descendants {
            for route in scope.routes.inOrder where route.cells.contains(where: { $0 === cell }) { route.update() }
        }
    }

    private func connect<S: Relux.Saga>(_ saga: S, _ registration: ModuleRegistration) {
        connect(.saga(saga, id: nextSerial()), to: S.Trigger.self, registration)
    }

    private func connect<F: Relux.Flow>(_ flow: F, _ registration: ModuleRegistration) {
        connect(.flow(flow, id: nextSerial()), to: F.Trigger.self, registration)
    }

    private func connect<A: Relux.Action>(
        _ runner: AnySagaRunner, to trigger: A.Type, _ registration: ModuleRegistration
    ) {
        registration.connections.runners.append((ObjectIdentifier(A.self), runner))
        registration.content.makeRoute(for: A.self, in: self).add(runner)
    }

    /// Starts a watcher, after the previous one of the same registration has ended.
    func start(_ watcher: any Relux.Watcher, as saga: SagaID, in scope: ScopeNode, at site: Relux.CallSite) {
        let inbox = WatcherInbox()
        for type in watcher.listens { inbox.listen(to: type, as: Origin(in: scope.address), in: self) }
        let completion = Completion(self)
        runs.open(completion)
        let record = Relux.RunRecord(
            id: runs.nextRun(), kind: .watcher, saga: type(of: watcher), trigger: nil, callSite: site,
            scope: scopeName(scope)
        )
        let run = RunHandle(
            record, saga: saga, policy: .serial, in: completion, of: scope.serial, inbox: inbox,
            marksChildTasks: carrier != nil, self
        )
        if runs.admit(run) { launch(run, TaskBody { await run.execute { try await watcher.watch(in: run.context) } }) }
        runs.seal(completion)
    }
}
