/// Connecting and disconnecting modules.
extension Core {
    /// How a caller holds a module.
    enum Hold {
        case name
        case lease
    }

    /// The lease that a registration returns: its number, and the generation that it holds.
    struct LeaseNumber: Sendable {
        var lease: UInt64 = 0
        var generation: UInt64 = 0
    }

    /// Connects modules and what they depend on, all or nothing.
    func register(
        _ modules: [any Relux.Module], holding hold: Hold, as origin: Origin, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> LeaseNumber {
        guard phase == .open else {
            reporter.refused(.storeShutDown, at: site)
            throw .storeShutDown(at: site)
        }
        if !mayWrite(origin, at: site), let record = runs.record(of: origin.run) ?? origin.handle?.record {
            throw .staleRun(record, at: site)
        }
        let plan = try ModulePlan(for: modules, in: self.modules) { flowOwner(of: $0) }
        for blueprint in plan.blueprints { connect(blueprint, at: site) }
        for module in plan.shared { reporter.tell { observer in observer.moduleShared(module) } }
        var lease = LeaseNumber()
        for module in modules {
            switch hold {
            case .name:
                self.modules.addOwner(type(of: module))
            case .lease:
                let (number, generation) = self.modules.addLease(type(of: module))
                lease = LeaseNumber(lease: number, generation: generation)
            }
        }
        return lease
    }

    private func flowOwner(of effect: any Relux.Effect.Type) -> (any Relux.Module.Type)? {
        guard let flow = routes[ObjectIdentifier(effect)]?.flow else { return nil }
        return modules.registrations.values.first { $0.connections.runners.contains { $0 === flow } }?.module
    }

    private func connect(_ blueprint: ModuleBlueprint, at site: Relux.CallSite) {
        var connections = ModuleTable.Connections()
        for state in blueprint.states { connect(state, &connections) }
        for reducer in blueprint.reducers { connect(reducer.body, &connections) }
        for flow in blueprint.flows { connect(flow, &connections) }
        for saga in blueprint.sagas { connect(saga, &connections) }
        for watcher in blueprint.watchers {
            connections.watchers.append((nextSaga(), watcher))
        }
        modules.insert(blueprint, connections)
        reporter.tell { observer in observer.moduleRegistered(blueprint.module) }
        states.wakeReaders(ofAdded: connections.cells)
        for (id, watcher) in connections.watchers { start(watcher, as: id, at: site) }
    }

    private func nextSaga() -> SagaID {
        lastSaga += 1
        return lastSaga
    }

    private func connect<S: Relux.State>(_ initial: S, _ connections: inout ModuleTable.Connections) {
        let given = givenStates[ObjectIdentifier(S.self)] as? S
        let cell = states.makeCell(given ?? initial)
        connections.cells.append(cell)
        guard S.Action.self != Never.self else { return }
        connect(OwnReducerBinding(cell), &connections)
    }

    private func connect<Body: ReducerBody>(_ body: Body, _ connections: inout ModuleTable.Connections) {
        guard let cell = states.cell(of: Body.S.self) else { return }
        connect(AddedReducerBinding(cell, body.reduce), &connections)
    }

    private func connect<A: Relux.Action>(_ binding: ReducerBinding<A>, _ connections: inout ModuleTable.Connections) {
        connections.bindings.append((ObjectIdentifier(A.self), binding))
        connections.routes.insert(ObjectIdentifier(A.self))
        routes.makeRoute(for: A.self).add(binding)
    }

    private func connect<S: Relux.Saga>(_ saga: S, _ connections: inout ModuleTable.Connections) {
        connect(.saga(saga, id: nextSaga()), to: S.Trigger.self, &connections)
    }

    private func connect<F: Relux.Flow>(_ flow: F, _ connections: inout ModuleTable.Connections) {
        connect(.flow(flow, id: nextSaga()), to: F.Trigger.self, &connections)
    }

    private func connect<A: Relux.Action>(
        _ runner: AnySagaRunner, to trigger: A.Type, _ connections: inout ModuleTable.Connections
    ) {
        connections.runners.append(runner)
        connections.routes.insert(ObjectIdentifier(A.self))
        routes.makeRoute(for: A.self).add(runner)
    }

    /// Starts a watcher, after the previous one of the same registration has ended.
    func start(_ watcher: any Relux.Watcher, as saga: SagaID, at site: Relux.CallSite) {
        let inbox = WatcherInbox()
        for type in watcher.listens { inbox.listen(to: type, in: self) }
        let completion = Completion(group: nextGroup(), self)
        runs.openGroup(of: completion, answer: .nobody)
        let record = Relux.RunRecord(
            id: runs.nextRun(), kind: .watcher, saga: type(of: watcher), trigger: nil, callSite: site
        )
        runs.admit(
            RunHandle(record, inbox: inbox, marksChildTasks: carrier != nil, self), of: saga, .watcher, policy: .serial,
            in: completion.group, parent: nil
        ) { run, start in
            launch(run) { await run.execute(start) { try await watcher.watch(in: run.context) } }
        }
        runs.sealGroup(completion.group)
    }

    // MARK: Disconnecting

    /// Removes one owner of a module, and the module itself if that was the last one.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func unregister(
        _ module: any Relux.Module.Type, as origin: Origin, at site: Relux.CallSite
    ) -> Completion? {
        guard phase == .open else {
            reporter.refused(.storeShutDown, at: site)
            return nil
        }
        guard mayWrite(origin, at: site) else { return nil }
        if let reason = modules.removeOwner(module) {
            reporter.refused(reason, at: site)
            return nil
        }
        return removeUnneeded(from: module, as: origin)
    }

    /// Ends a lease. A lease of an earlier generation has no effect.
    func endLease(_ number: LeaseNumber, of module: any Relux.Module.Type, as origin: Origin) -> Completion? {
        guard phase == .open, modules[module]?.generation == number.generation else { return nil }
        modules.removeLease(number.lease, of: module)
        return removeUnneeded(from: module, as: origin)
    }

    private func removeUnneeded(from module: any Relux.Module.Type, as origin: Origin) -> Completion? {
        let removed = modules.removeUnneeded(from: module)
        guard !removed.isEmpty else { return nil }
        let sagas = Set(removed.flatMap(\.connections.sagas))
        let concerned = runs.runs(of: sagas)
        // Runs of other modules clean up if they are cancelled because a removed one performed them.
        let halted = runs.cancel(concerned) { entry in entry.runner.map { !sagas.contains($0.id) } ?? true }
        for registration in removed { disconnect(registration) }
        return drain(concerned + halted, for: origin)
    }

    func disconnect(_ registration: ModuleTable.Registration) {
        let connections = registration.connections
        for (key, binding) in connections.bindings { routes[key]?.remove(binding) }
        for cell in connections.cells { states.remove(cell) }
        for key in connections.routes {
            for runner in connections.runners { routes[key]?.remove(runner: runner.id) }
            routes.removeIfUnused(key)
        }
        reporter.tell { observer in observer.moduleUnregistered(registration.module) }
    }
}
