/// Unregistering and disconnecting modules.
extension Core {
    /// Releases a module that was registered by name, and removes it if nothing else holds it.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func unregister(
        _ module: any Relux.Module.Type, id: AnySendableHashable?, as origin: Origin, at site: Relux.CallSite
    ) -> Completion? {
        guard let scope = try? scopeToChange(as: origin, at: site) else { return nil }
        guard let registration = scope.registration(of: module, id: id) else {
            reporter.refused(missing(module, id: id, in: scope), at: site)
            return nil
        }
        guard registration.release(.name) else {
            let dependents = registration.dependents
            let modules = root.registrations.filter { dependents.contains($0.generation) }.map(\.module)
            reporter.refused(
                dependents.isEmpty
                    ? .moduleHeldByLeases(module, leases: registration.holders.values.reduce(0, +))
                    : .moduleStillNeeded(module, by: modules),
                at: site
            )
            return nil
        }
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
        guard phase == .open, let scope = scope(of: origin),
            let registration = scope.registration(of: module, id: id),
            registration.release(.init(kind: .lease, number: number))
        else { return nil }
        return removeUnneeded([registration], awaitedBy: origin)
    }

    /// Removes modules if they are no longer needed, and then what only they needed, in one step.
    ///
    /// - Parameter origin: The caller that awaits the end of the runs; nil if nobody does.
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    @discardableResult
    func removeUnneeded(_ registrations: [ModuleRegistration], awaitedBy origin: Origin?) -> Completion? {
        let removed = detachUnneeded(registrations)
        guard !removed.isEmpty else { return nil }
        let sagas = Set(removed.flatMap(\.sagas))
        let concerned = runs.triggers(of: sagas)
        // Runs of other modules clean up if they are cancelled because a removed one performed them.
        let halted = cancel(concerned, by: actingRun) { !sagas.contains($0.saga) }
        // All of them, before the first is gone: a selection may read several.
        for registration in removed {
            for reader in registration.cells.flatMap(\.source.readers.elements) {
                reader.keepLast(ofScope: registration.content.serial, in: self)
            }
        }
        for registration in removed { disconnect(registration) }
        return origin.flatMap { drain(concerned + halted, for: $0) }
    }

    /// Takes modules that are no longer needed out of their scopes, dependents first.
    private func detachUnneeded(_ registrations: [ModuleRegistration]) -> [ModuleRegistration] {
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
            for content in contents { content.disconnect() }
            removed += contents
            for content in contents {
                if content.instance == nil { content.scope.modules[ObjectIdentifier(content.module)] = nil }
                for children in content.children { open += children.releaseAll() }
                open += content.needs.reversed()
            }
        }
        return removed
    }

    /// The triggers in a scope and in the instances inside it, in order.
    func triggers(in scope: ScopeNode) -> [RunID] {
        scope.isRoot ? runs.all : runs.triggers(of: scope.registrations.flatMap(\.sagas))
    }

    func disconnect(_ registration: ModuleRegistration) {
        let scope = registration.content
        let name = scope.name(in: self)
        for children in registration.children { children.disconnect(in: self) }
        registration.disconnectChangeRules()
        // The routes of an instance go with its scope.
        if registration.instance == nil { disconnectBehaviour(of: registration, keepingOwnReducers: false) }
        for cell in registration.cells {
            scope.cells[ObjectIdentifier(cell.state)] = nil
            endSaving(of: cell)
            cell.source.noteRemoval()
            wakeReaders(of: cell.source)
        }
        registration.instance?.close(in: self)
        reporter.tell { $0.moduleUnregistered(registration.module, in: name) }
    }

    /// Disconnects the reducers, sagas, and flows of a module.
    ///
    /// - Parameter keepsOwn: Whether the own reducers of its states stay.
    func disconnectBehaviour(of registration: ModuleRegistration, keepingOwnReducers keepsOwn: Bool) {
        for route in registration.routes {
            route.removeHandlers(of: registration, keepingOwnReducers: keepsOwn)
            registration.content.removeIfUnused(route)
        }
        registration.routes = keepsOwn ? registration.routes.filter { $0.hasReducers(of: registration) } : []
        registration.content.updateListeners()
    }

    /// Ends the streams that were created in a scope, wherever their actions are taken.
    func finishStreams(of scope: ScopeNode) {
        for stream in scope.streams.elements { finish(stream) }
    }
}
