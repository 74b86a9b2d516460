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

    /// Replaces a module: its states and their values stay, and everything else becomes that of the new one, including
    /// the instances that follow its states.
    ///
    /// - Returns: The runs that were cancelled.
    private func replace(
        with module: any Relux.Module, in scope: ScopeNode, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> [RunID] {
        var cancelled: [RunID] = []
        // A stack of its own instead of recursion, because instances may be nested to any depth.
        var open = try replaceAlone(with: module, in: scope, at: site, &cancelled)
        while let child = open.popLast() {
            do throws(Relux.StoreError) {
                open += try replaceAlone(with: child.module, in: child.scope, at: child.site, &cancelled)
            } catch {
                reporter.refused(.childNotRegistered(error), at: child.site)
            }
        }
        return cancelled
    }

    /// Replaces a module without the instances that follow its states.
    ///
    /// - Parameter cancelled: Receives the runs that were cancelled.
    /// - Returns: What is to replace those of these instances that remain, the oldest last.
    private func replaceAlone(
        with module: any Relux.Module, in scope: ScopeNode, at site: Relux.CallSite, _ cancelled: inout [RunID]
    ) throws(Relux.StoreError) -> [ChildReplacement] {
        let type = type(of: module)
        let known =
            module.instanceID.map { scope.group(of: type)?.node(for: $0)?.registration } ?? scope.modules[type]
        guard let registration = known else { throw .moduleNotRegistered(type, at: site) }
        let plan = try ModulePlan(replacing: registration, with: module)
        guard let new = plan.replacement else { return [] }
        for entry in plan.entries { connect(entry, at: site) }

        // Unlike an unregistration, this leaves the states in place, so the cancelled runs clean them up.
        let concerned = runs.runs(of: Set(registration.connections.sagas))
        cancelled += concerned + runs.cancel(concerned)
        let oldChildren = registration.connections.children
        // They are disconnected after the new ones are connected. The states are then followed throughout, and the
        // routes of all instances inside needn't be brought up to date twice.
        registration.connections.children = []
        disconnectBehaviour(of: registration, keepingOwnReducers: true)
        (registration.connections.runners, registration.connections.watchers) = ([], [])

        for state in new.blueprint.states {
            registration.content.states.cell(of: ObjectIdentifier(Swift.type(of: state)))?.replaceInitial(with: state)
        }
        let unneeded = registration.replace(needs: plan.needs)
        connectBehaviour(of: new, at: site)
        for children in oldChildren { children.disconnect(in: self) }
        reporter.tell { observer in observer.moduleReplaced(type, in: registration.scope(in: self)) }
        startWatchers(of: registration, at: site)
        follow((plan.entries + [new]).flatMap(\.registration.connections.children))
        // After the new children hold what remains, so that it stays.
        let released = oldChildren.flatMap { $0.releaseAll() }
        var earlier = Set(released.map { ObjectIdentifier($0) })
        let replacements = registration.connections.children.flatMap { $0.replacements(of: &earlier) }
        removeUnneeded(released + unneeded, awaitedBy: nil)
        return replacements.ascending { $0.generation }.reversed()
    }
}
