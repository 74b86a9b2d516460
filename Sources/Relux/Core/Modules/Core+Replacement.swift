/// Replacing a registered module by another instance of its type, as when a service is swapped.
extension Core {
    /// Replaces a module of the caller's scope.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func replace(
        with module: any Relux.Module, as origin: Origin, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> Completion? {
        let halted = try replace(with: module, in: scopeToChange(as: origin, at: site), at: site)
        return drain(halted, for: origin)
    }

    /// Replaces a module: its states and their values stay, and everything else becomes that of the new one.
    ///
    /// - Returns: The runs that were cancelled.
    func replace(
        with module: any Relux.Module, in scope: ScopeNode, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> [RunID] {
        let type = type(of: module)
        let known =
            module.instanceID.map { scope.anyGroup(of: type)?.node(for: $0)?.registration } ?? scope.modules[type]
        guard let registration = known else { throw .moduleNotRegistered(type, at: site) }
        let plan = try ModulePlan(replacing: registration, with: module)
        guard let new = plan.replacement else { return [] }
        for entry in plan.entries { connect(entry, at: site) }

        // Unlike an unregistration, this leaves the states in place, so the cancelled runs clean them up.
        let concerned = runs.runs(of: Set(registration.connections.sagas))
        let halted = runs.cancel(concerned)
        let oldChildren = registration.connections.children
        disconnectBehaviour(of: registration, keepingOwnReducers: true)
        (registration.connections.runners, registration.connections.watchers) = ([], [])
        registration.connections.children = []

        for state in new.blueprint.states {
            registration.content.states.cell(of: ObjectIdentifier(Swift.type(of: state)))?.replaceInitial(with: state)
        }
        let unneeded = registration.replace(needs: plan.needs)
        connectBehaviour(of: new, at: site)
        reporter.tell { observer in observer.moduleReplaced(type, in: registration.scope(in: self)) }
        startWatchers(of: registration, at: site)
        follow((plan.entries + [new]).flatMap(\.registration.connections.children))
        // After the new children hold what remains, so that it stays.
        let kept = Set(registration.connections.children.flatMap(\.held).map { ObjectIdentifier($0) })
        let released = oldChildren.flatMap { $0.releaseAll() }
        var replaced: [RunID] = []
        for child in released where kept.contains(ObjectIdentifier(child)) {
            replaced += registration.connections.children.lazy.compactMap { $0.replace(child, in: self) }.first ?? []
        }
        removeUnneeded(released + unneeded, awaitedBy: nil)
        return concerned + halted + replaced
    }
}
