/// Connecting and disconnecting modules.
extension Core {
    /// Whose hold on a module is meant.
    enum Holder {
        case name
        case lease
    }

    /// Connects modules and what they need, all or nothing.
    ///
    /// - Returns: For a lease, its number and the generation that it holds.
    @discardableResult
    func register(
        _ modules: [any Relux.Module], as holder: Holder, by speaker: Speaker, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> (lease: UInt64, generation: UInt64) {
        guard phase == .open else {
            report(.storeShutDown, at: site)
            throw .storeShutDown(at: site)
        }
        if !mayWrite(speaker, at: site), let record = entries.at(speaker.run)?.pointee.record ?? speaker.handle?.record
        {
            throw .staleRun(record, at: site)
        }
        let plan = try ModulePlan(for: modules, in: self.modules, flowOwner: owner(ofFlowFor:))
        for blueprint in plan.blueprints { connect(blueprint, at: site) }
        for second in plan.secondInstances { report(.secondInstance(second), at: site) }
        var lease: (lease: UInt64, generation: UInt64) = (0, 0)
        for module in modules {
            switch holder {
            case .name: self.modules.addOwner(type(of: module))
            case .lease: lease = self.modules.addLease(type(of: module))
            }
        }
        settle()
        return lease
    }

    private func owner(ofFlowFor effect: any Relux.Effect.Type) -> (any Relux.Module.Type)? {
        func flow<E: Relux.Effect>(_ effect: E.Type) -> RunTable.ResponderID? {
            existingRoute(for: E.self)?.responders.first { $0.isFlow }?.id
        }
        guard let id = flow(effect) else { return nil }
        return modules.registrations.values.first { $0.connections.responders.contains(id) }?.module
    }

    private func connect(_ blueprint: ModuleBlueprint, at site: Relux.CallSite) {
        var connections = ModuleTable.Connections()
        for state in blueprint.states { connect(state, &connections) }
        for reducer in blueprint.reducers { connect(reducer.body, &connections) }
        for flow in blueprint.flows { connect(flow, &connections) }
        for saga in blueprint.sagas { connect(saga, &connections) }
        for watcher in blueprint.watchers {
            lastResponder += 1
            connections.watchers.append((lastResponder, watcher))
        }
        modules.insert(blueprint, connections)
        tell { observer in observer.moduleRegistered(blueprint.module) }
        if !awaitingStates.isEmpty {
            let appeared = Set(connections.slots.map { ObjectIdentifier($0.state) })
            awaitingStates.fire { state in appeared.contains(state) }
        }
        for (id, watcher) in connections.watchers { start(watcher, as: id, at: site) }
    }

    private func connect<S: Relux.State>(_ initial: S, _ connections: inout ModuleTable.Connections) {
        lastSlot += 1
        let given = givenStates[ObjectIdentifier(S.self)] as? S
        let slot = Slot(given ?? initial, serial: lastSlot)
        slots.set(ObjectIdentifier(S.self), to: slot)
        connections.slots.append(slot)
        guard S.Action.self != Never.self else { return }
        add(OwnStep(slot), &connections)
    }

    private func connect<Body: ReducerBody>(_ body: Body, _ connections: inout ModuleTable.Connections) {
        guard let slot = slot(of: Body.S.self) else { return }
        add(AddedStep(slot, body.reduce), &connections)
    }

    private func add<A: Relux.Action>(_ step: Step<A>, _ connections: inout ModuleTable.Connections) {
        connections.steps.append((ObjectIdentifier(A.self), step))
        connections.routes.insert(ObjectIdentifier(A.self))
        route(for: A.self).add(step)
    }

    private func connect<S: Relux.Saga>(_ saga: S, _ connections: inout ModuleTable.Connections) {
        lastResponder += 1
        connections.responders.append(lastResponder)
        connections.routes.insert(ObjectIdentifier(S.Trigger.self))
        route(for: S.Trigger.self).add(SagaResponder(saga, id: lastResponder))
    }

    private func connect<F: Relux.Flow>(_ flow: F, _ connections: inout ModuleTable.Connections) {
        lastResponder += 1
        connections.responders.append(lastResponder)
        connections.routes.insert(ObjectIdentifier(F.Trigger.self))
        route(for: F.Trigger.self).add(FlowResponder(flow, id: lastResponder))
    }

    /// Starts a watcher, after the one before it of the same registration has ended.
    func start(_ watcher: any Relux.Watcher, as responder: RunTable.ResponderID, at site: Relux.CallSite) {
        let inbox = WatcherInbox()
        for type in watcher.listens { inbox.listen(to: type, in: self) }
        let completion = Completion(group: engine.nextGroup(), engine)
        completions.set(completion.group, to: completion)
        table.openGroup(completion.group)
        let record = Relux.RunRecord(
            id: nextRun(), kind: .watcher, saga: type(of: watcher), trigger: nil, callSite: site
        )
        let run = RunHandle(record, inbox: inbox, engine)
        admit(run, of: responder, policy: .serial, completion, parent: nil) { run, start in
            launch { await run.execute(start) { try await watcher.watch(in: run.context) } }
        }
        carryOut(table.sealGroup(completion.group))
    }

    // MARK: Disconnecting

    /// Takes a module's name off the list of its owners, and the module out if it was the last.
    ///
    /// - Returns: What to await: the end of the runs that were cancelled.
    func unregister(
        _ module: any Relux.Module.Type, by speaker: Speaker, at site: Relux.CallSite
    ) -> Completion? {
        guard phase == .open else {
            report(.storeShutDown, at: site)
            return nil
        }
        guard mayWrite(speaker, at: site) else { return nil }
        if let reason = modules.removeOwner(module) {
            report(reason, at: site)
            return nil
        }
        return removeUnneeded(from: module, by: speaker)
    }

    /// Ends a lease; one of a generation that is gone already does nothing.
    func endLease(
        _ lease: UInt64, generation: UInt64, of module: any Relux.Module.Type, by speaker: Speaker
    ) -> Completion? {
        guard phase == .open, modules[module]?.generation == generation else { return nil }
        modules.removeLease(lease, of: module)
        return removeUnneeded(from: module, by: speaker)
    }

    private func removeUnneeded(from module: any Relux.Module.Type, by speaker: Speaker) -> Completion? {
        let removed = modules.removeUnneeded(from: module)
        guard !removed.isEmpty else { return nil }
        let responders = Set(removed.flatMap { $0.connections.responders + $0.connections.watchers.map(\.id) })
        let concerned = entries.keys { responders.contains($0.responder) }
        let changes = table.cancel(concerned)
        // What only belonged to a cancelled run, but is another module's, is tidied up; the rest goes as a whole.
        carryOut(changes) { !responders.contains($0.responder) }
        for registration in removed { disconnect(registration) }
        settle()
        return drain(concerned + changes.halted.map(\.run), by: speaker)
    }

    func disconnect(_ registration: ModuleTable.Registration) {
        let connections = registration.connections
        for (key, step) in connections.steps { routeOwner[key]?.remove(step) }
        for slot in connections.slots {
            slots.remove(ObjectIdentifier(slot.state))
            slot.waiting.fire()
        }
        for key in connections.routes {
            for id in connections.responders { routeOwner[key]?.remove(responder: id) }
            dropIfUnused(routeOf: key)
        }
        tell { observer in observer.moduleUnregistered(registration.module) }
    }
}
