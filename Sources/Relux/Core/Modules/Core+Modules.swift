/// Connecting and disconnecting modules.
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
        let plan = try ModulePlan(for: modules, in: scope)
        for entry in plan.entries { connect(entry, at: site) }
        for module in plan.shared { reporter.tell { observer in observer.moduleShared(module) } }
        for registration in plan.listed {
            switch hold {
            case .name: registration.owners += 1
            case .number(let number): registration.holds.insert(number)
            }
        }
        // Only now, because a child may need any of these modules.
        for entry in plan.entries {
            for children in entry.registration.connections.children { children.follow(in: self) }
        }
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
            let scope = registration.scope(in: self)
            reporter.tell { observer in observer.moduleRegistered(blueprint.module, in: scope) }
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
        guard let group = registration.holder.anyGroup(of: registration.module) ?? makeGroup(registration) else {
            return false
        }
        instance.open(in: group, as: registration, in: self)
        group.insert(instance)
        return group.count == 1
    }

    private func makeGroup(_ registration: ModuleRegistration) -> AnyInstanceGroup? {
        func make<M: Relux.Module & Identifiable>(_ module: M.Type) -> AnyInstanceGroup {
            registration.holder.makeGroup(of: module, serial: nextSerial())
        }
        return (registration.module as? any (Relux.Module & Identifiable).Type).map { make($0) }
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
        cell.add(binding)
        // The state may belong to another module, whose actions have their routes already.
        updateRoutes(of: cell, in: scope)
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
        let completion = Completion(group: nextGroup(), self)
        runs.openGroup(of: completion, answer: .nobody)
        let record = Relux.RunRecord(
            id: runs.nextRun(), kind: .watcher, saga: type(of: watcher), trigger: nil, callSite: site,
            scope: scope.address.map { Relux.Scope(self, $0) }
        )
        let run = RunHandle(record, of: scope.serial, inbox: inbox, marksChildTasks: carrier != nil, self)
        if let start = runs.admit(run, of: saga, .watcher, policy: .serial, in: completion.group, parent: nil) {
            launch(run, TaskBody { await run.execute(start) { try await watcher.watch(in: run.context) } })
        }
        runs.sealGroup(completion.group)
    }

    // MARK: Disconnecting

    /// Removes one owner of a module, and the module itself if that was the last one.
    ///
    /// - Parameter id: The id of the instance; nil for a module without one.
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func unregister(
        _ module: any Relux.Module.Type, id: AnySendableHashable?, as origin: Origin, at site: Relux.CallSite
    ) -> Completion? {
        guard phase == .open else {
            reporter.refused(.storeShutDown, at: site)
            return nil
        }
        guard mayWrite(origin, at: site), let scope = scope(of: origin, at: site) else { return nil }
        let registration = id.map { scope.anyGroup(of: module)?.node(for: $0)?.registration } ?? scope.modules[module]
        guard let registration else {
            reporter.refused(missing(module, id: id, in: scope), at: site)
            return nil
        }
        guard registration.owners > 0 else {
            reporter.refused(
                registration.dependents.isEmpty
                    ? .moduleHeldByLeases(module, leases: registration.holds.count)
                    : .moduleStillNeeded(module, by: registration.dependentModules),
                at: site
            )
            return nil
        }
        registration.owners -= 1
        return removeUnneeded([registration], awaitedBy: origin)
    }

    /// Why there is no module to unregister.
    private func missing(
        _ module: any Relux.Module.Type, id: AnySendableHashable?, in scope: ScopeNode
    ) -> Relux.Refusal.Reason {
        if let id { return .noInstance(Relux.Scope(self, ScopeAddress(of: module, id: id, in: scope.address))) }
        return module is any (Relux.Module & Identifiable).Type ? .idMissing(module) : .moduleNotRegistered(module)
    }

    /// Ends a lease. A lease of an earlier generation has no effect.
    func endLease(_ number: UInt64, of module: any Relux.Module.Type, id: AnySendableHashable?, as origin: Origin)
        -> Completion?
    {
        guard phase == .open, case .scope(let scope) = place(of: origin),
            let registration = id.map({ scope.anyGroup(of: module)?.node(for: $0)?.registration })
                ?? scope.modules[module]
        else { return nil }
        registration.holds.remove(number)
        return removeUnneeded([registration], awaitedBy: origin)
    }

    /// Removes modules if they are no longer needed, and then what only they needed, in one step.
    ///
    /// - Parameter origin: The caller that awaits the end of the runs; nil if nobody does.
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    @discardableResult
    func removeUnneeded(_ registrations: [ModuleRegistration], awaitedBy origin: Origin?) -> Completion? {
        let removed = takeUnneeded(registrations)
        guard !removed.isEmpty else { return nil }
        let sagas = Set(removed.flatMap(\.connections.sagas))
        let concerned = runs(of: removed, sagas)
        // Runs of other modules clean up if they are cancelled because a removed one performed them.
        let halted = runs.cancel(concerned, .notOf(sagas))
        for registration in removed { disconnect(registration) }
        return origin.flatMap { drain(concerned + halted, for: $0) }
    }

    /// Takes modules that are no longer needed out of their scopes, dependents first.
    private func takeUnneeded(_ registrations: [ModuleRegistration]) -> [ModuleRegistration] {
        var removed: [ModuleRegistration] = []
        var open = registrations
        while let registration = open.popLast() {
            guard registration.isConnected, !registration.isNeeded else { continue }
            // Everything in an instance goes with it, whatever holds it.
            let contents =
                registration.instance.map { $0.isLeaf ? [registration] : $0.registrations.reversed() }
                ?? [registration]
            for content in contents { content.release() }
            removed += contents
            for content in contents {
                content.holder.modules.remove(content)
                for children in content.connections.children { open += children.releaseAll() }
                open += content.needs.reversed()
            }
        }
        return removed
    }

    /// The runs of modules. Those of an instance are known; the others have to be looked for.
    private func runs(of removed: [ModuleRegistration], _ sagas: Set<SagaID>) -> [RunID] {
        let closing = removed.compactMap(\.instance)
        var found = closing.flatMap { runs.runs(in: $0.serial) }
        let hasOthers = removed.contains { registration in
            !registration.connections.sagas.isEmpty && !closing.contains { $0 === registration.content }
        }
        if hasOthers { found += runs.runs(of: sagas) }
        return closing.count + (hasOthers ? 1 : 0) < 2 ? found : Set(found).sorted()
    }

    /// The runs in a scope and in the instances inside it.
    func runs(in scope: ScopeNode) -> [RunID] {
        scope.isRoot ? runs.all : ([scope] + scope.descendants).flatMap { runs.runs(in: $0.serial) }.sorted()
    }

    func disconnect(_ registration: ModuleRegistration) {
        let scope = registration.content
        let name = reporter.hasObservers ? registration.scope(in: self) : nil
        if registration.instance == nil {
            disconnectBehaviour(of: registration, keepingOwnReducers: false)
        } else {
            // The routes go with the scope.
            for children in registration.connections.children { children.disconnect(in: self) }
        }
        for cell in registration.connections.cells { scope.states.remove(cell) }
        registration.instance?.close(in: self)
        reporter.tell { observer in observer.moduleUnregistered(registration.module, in: name) }
    }

    /// Disconnects what a module has listed apart from its states.
    ///
    /// - Parameter keepsOwn: Whether the own reducers of its states stay.
    func disconnectBehaviour(of registration: ModuleRegistration, keepingOwnReducers keepsOwn: Bool) {
        let scope = registration.content
        let connections = registration.connections
        for children in connections.children { children.disconnect(in: self) }
        let keys = registration.instance == nil ? connections.reduced : scope.routes.keys
        for key in keys { scope.routes[key]?.removeReducers(of: registration.generation, keepingOwn: keepsOwn) }
        for (key, runner) in connections.runners { scope.routes[key]?.remove(runner: runner.id) }
        for key in keys + connections.runners.map(\.route) { scope.removeRouteIfUnused(key, in: self) }
    }
}
