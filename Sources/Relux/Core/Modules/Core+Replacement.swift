/// Replacing a registered module by another instance of its type, as when a service is swapped.
extension Core {
    /// Replaces a module of the caller's scope: its states and their values stay, and everything else becomes that of
    /// the new one, including the instances that follow its states.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func replace(
        with module: any Relux.Module, as origin: Origin, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> Completion? {
        var cancelled: [RunID] = []
        // A stack of its own instead of recursion, because instances may be nested to any depth.
        var open = try replaceAlone(with: module, in: scopeToChange(as: origin, at: site), at: site, &cancelled)
        while let child = open.popLast() {
            do throws(Relux.StoreError) {
                open += try replaceAlone(with: child.module, in: child.scope, at: child.site, &cancelled)
            } catch {
                reporter.refused(.childNotRegistered(error), at: child.site)
            }
        }
        return drain(cancelled, for: origin)
    }

    /// Replaces a module without the instances that follow its states.
    ///
    /// - Parameter cancelled: Receives the runs that were cancelled.
    /// - Returns: What is to replace those of these instances that remain, the oldest last.
    private func replaceAlone(
        with module: any Relux.Module, in scope: ScopeNode, at site: Relux.CallSite, _ cancelled: inout [RunID]
    ) throws(Relux.StoreError) -> [ChildReplacement] {
        let type = type(of: module)
        guard let registration = scope.registration(of: type, id: module.instanceID) else {
            throw .moduleNotRegistered(type, at: site)
        }
        let plan = try ModulePlan(replacing: registration, with: module)
        guard let new = plan.entries.last else { return [] }
        let added = plan.entries.dropLast()
        try checkSavings(of: new, adding: added)
        for entry in added { connect(entry, having: [:], at: site) }
        for entry in added { announce(entry.registration, at: site) }

        // Unlike an unregistration, this leaves the states in place, so the cancelled runs clean them up.
        let concerned = runs.triggers(of: registration.sagas)
        cancelled += concerned + cancel(concerned)
        // They are disconnected after the new ones are connected, so that the states are followed throughout.
        let oldChildren = registration.children
        registration.children = []
        disconnectBehaviour(of: registration, keepingOwnReducers: true)
        registration.runners = []
        registration.disconnectChangeRules()

        for state in new.blueprint.states {
            registration.content.cells[ObjectIdentifier(Swift.type(of: state))]?.replaceInitial(with: state)
        }
        replaceSavings(of: registration, with: new.blueprint)
        // It holds what it needs now, and no longer what it needed before.
        let unneeded = registration.needs
        registration.disconnect()
        registration.needs = new.needs
        registration.connect(as: registration.generation)
        connectBehaviour(of: new, at: site)
        for children in oldChildren { children.disconnect(in: self) }
        let name = registration.content.name(in: self)
        reporter.tell { $0.moduleReplaced(type, in: name) }
        startWatchers(of: registration, at: site)
        follow(plan.entries.flatMap(\.registration.children))
        // After the new children hold what remains, so that it stays.
        let released = oldChildren.flatMap { $0.releaseAll() }
        var earlier = Set(released.map { ObjectIdentifier($0) })
        let replacements = registration.children.flatMap { $0.replacements(of: &earlier) }
        removeUnneeded(released + unneeded, awaitedBy: nil)
        return replacements.sorted { $0.generation > $1.generation }
    }
}
