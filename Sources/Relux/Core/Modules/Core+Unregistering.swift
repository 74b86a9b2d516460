/// Unregistering and disconnecting modules.
extension Core {
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
        let registration = id.map { scope.group(of: module)?.node(for: $0)?.registration } ?? scope.modules[module]
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
            let registration = id.map({ scope.group(of: module)?.node(for: $0)?.registration })
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
        let concerned = runs(of: removed)
        // Runs of other modules clean up if they are cancelled because a removed one performed them.
        let halted = concerned.isEmpty ? [] : runs.cancel(concerned, .notOf(sagas(of: removed)))
        for registration in removed { disconnect(registration) }
        return origin.flatMap { drain(concerned + halted, for: $0) }
    }

    /// Takes modules that are no longer needed out of their scopes, dependents first.
    private func takeUnneeded(_ registrations: [ModuleRegistration]) -> [ModuleRegistration] {
        var removed: [ModuleRegistration] = []
        var open = registrations
        while let registration = open.popLast() {
            guard registration.isConnected else { continue }
            if registration.isNeeded {
                // Its parent may have been kept for it alone, and may keep it alone now.
                if registration.isChild { open += registration.needs }
                continue
            }
            // Everything in an instance goes with it, whatever holds it.
            let contents = registration.contents
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

    /// The runs of modules, in order. Those of instances are known; the others have to be looked for.
    ///
    /// - Returns: Some runs perhaps twice, which no caller minds.
    private func runs(of removed: [ModuleRegistration]) -> [RunID] {
        let closing = removed.compactMap(\.instance)
        let found = closing.flatMap { runs.runs(in: $0.serial) }
        let hasOthers = removed.contains { registration in
            registration.instance == nil && registration.connections.hasSagas
                && !closing.contains { $0 === registration.holder }
        }
        return ascending(hasOthers ? found + runs.runs(of: sagas(of: removed)) : found)
    }

    private func sagas(of registrations: [ModuleRegistration]) -> Set<SagaID> {
        Set(registrations.flatMap(\.connections.sagas))
    }

    /// The runs in a scope and in the instances inside it.
    func runs(in scope: ScopeNode) -> [RunID] {
        guard !scope.isRoot else { return runs.all }
        return ascending(([scope] + scope.descendants).flatMap { runs.runs(in: $0.serial) })
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
