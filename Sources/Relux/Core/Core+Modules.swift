/// Registering, replacing, and removing modules.
extension Core {
    // MARK: Registering

    /// Registers modules and what they depend on: at once, or when their states have been loaded.
    ///
    /// - Parameter loaded: The values that have been loaded for it since it was kept.
    func register(_ registration: PendingRegistration, having loaded: LoadOutcome<SavingPlace> = LoadOutcome()) {
        do throws(Relux.StoreError) {
            var registration = registration
            registration.loaded.merge(try loaded.found.get()) { _, new in new }
            guard let scope = try registration.scope() else { return }
            let plan = try ModulePlan(for: registration.modules, in: scope, modules)
            if let work = try modules.load(for: plan, registration) {
                return modules.setTask(load(work, for: registration), of: registration.number)
            }
            connect(plan, heldBy: registration.holder, having: registration.loaded, at: registration.site)
            registration.whenOver(.success(plan.listed))
        } catch {
            registration.whenOver(.failure(error))
        }
    }

    /// Loads or waits in a task of the store, and then goes on with a registration.
    private func load(
        _ work: @escaping LoadWork, for registration: PendingRegistration
    ) -> Task<Void, Never> {
        Task.detached(executorPreference: taskExecutor) { [number = registration.number, site = registration.site] in
            let loaded = await CurrentRun.$inherited.withValue(.noRun(of: self)) { await work() }
            await self.enter(as: .outside) { core, _ in
                for one in loaded.setAside {
                    core.reporter.refused(.notLoaded(one.failure), of: one.state, at: site)
                }
                if let registration = core.modules.proceed(number) { core.register(registration, having: loaded) }
            }
        }
    }

    /// Connects modules and what they depend on at once, for a caller that can't await.
    func registerNow(_ listed: [any Relux.Module], at site: Relux.CallSite) throws(Relux.StoreError) {
        let plan = try ModulePlan(for: listed.map { ModuleBlueprint($0) }, in: tree.root, modules)
        if let entry = plan.entries.first(where: { !$0.blueprint.persistence.isEmpty }) {
            throw .needsLoading(entry.blueprint.module)
        }
        connect(plan, heldBy: nil, having: [:], at: site)
    }

    /// Connects what was planned. This can't fail.
    ///
    /// - Parameter loaded: The values of the states that were loaded for it.
    private func connect(
        _ plan: borrowing ModulePlan, heldBy holder: UInt64?, having loaded: [SavingPlace: Loaded],
        at site: Relux.CallSite
    ) {
        connect(plan.entries, having: loaded, at: site)
        for registration in plan.listed { registration.hold(holder) }
        for module in plan.shared { reporter.tell { $0.moduleShared(module) } }
        modules.reportShadows(of: plan.entries.map(\.registration), at: site)
        // Only now, because a child may need any of these modules.
        follow(plan.entries.flatMap(\.registration.children))
    }

    private func connect(_ new: [ModulePlan.Entry], having loaded: [SavingPlace: Loaded], at site: Relux.CallSite) {
        for entry in new { modules.connect(entry, having: loaded, at: site) }
        // Only now, because an observer reads from the store as all of them leave it.
        for registration in new.map(\.registration) {
            let name = registration.content.name(in: self)
            reporter.tell { $0.moduleRegistered(registration.module, in: name, leaving: readers.reader(at: tree.root)) }
            startWatchers(of: registration, at: site)
        }
    }

    /// Starts the watchers of a module, each after its previous run has ended.
    ///
    /// - Parameter running: Runs that continue, whose watchers are not started again.
    func startWatchers(of registration: ModuleRegistration, except running: Set<Run> = [], at site: Relux.CallSite) {
        let scope = registration.content
        let running = running.filter { $0.kind == .watcher }
        for watcher in registration.watchers where !running.contains(where: { $0.runner === watcher }) {
            let run = Run(
                numbers.next(), watcher, on: nil, numbered: nil, at: site, in: scope.address, numbered: scope.serial,
                policy: .serial, prefersExecutor: taskExecutor != nil, self
            )
            run.kept = dispatch.streams.listen(to: watcher.listens, in: scope)
            startAlone(run, watcher, doing: watcher.work, in: Group())
        }
    }

    // MARK: Replacing

    /// Replaces a module of the caller's scope: its states and their values stay, and everything else becomes that of
    /// the new one, including the instances that follow its states.
    ///
    /// - Returns: The runs that were cancelled.
    func replace(
        with module: any Relux.Module, as caller: Caller, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> [Run] {
        var (cancelled, replaced): ([Run], [ModuleRegistration]) = ([], [])
        // A stack of its own instead of recursion, because instances may be nested to any depth.
        var open = try replaceAlone(
            with: module, in: scopeToChange(as: caller, at: site), at: site, &cancelled, &replaced)
        while let (module, child) = open.popLast() {
            do throws(Relux.StoreError) {
                open += try replaceAlone(with: module, in: child.scope, at: site, &cancelled, &replaced)
            } catch {
                reporter.refused(.childNotRegistered(error), at: site)
            }
        }
        modules.reportShadows(of: replaced, at: site)
        return cancelled
    }

    /// Replaces a module without the instances that follow its states.
    ///
    /// - Parameters:
    ///   - cancelled: Receives the runs that were cancelled.
    ///   - replaced: Receives what was connected.
    /// - Returns: The replacements for those of these instances that remain, the oldest last.
    private func replaceAlone(
        with module: any Relux.Module, in scope: ScopeNode, at site: Relux.CallSite, _ cancelled: inout [Run],
        _ replaced: inout [ModuleRegistration]
    ) throws(Relux.StoreError) -> [ChildReplacement] {
        let type = type(of: module)
        guard let registration = scope.registration(of: type, id: module.instanceID) else {
            throw .moduleNotRegistered(type, at: site)
        }
        let plan = try ModulePlan(replacing: registration, with: module, modules)
        guard let new = plan.entries.last else { return [] }
        let added = Array(plan.entries.dropLast())
        let continued = try modules.continuedSavings(with: new)
        // They are connected at once.
        if let loading = added.first(where: { !$0.persisted.isEmpty }) {
            throw .needsLoading(loading.blueprint.module)
        }
        connect(added, having: [:], at: site)

        // Unlike an unregistration, this leaves the states in place, so the cancelled runs clean them up.
        let concerned = RunTable.triggers(of: registration.allRunners)
        cancelled += concerned + cancel(concerned)
        runs.closeWindows(of: registration.allRunners)
        modules.disconnectBehaviour(of: registration, isReplaced: true)

        for state in new.blueprint.states {
            registration.content.ownCell(of: Swift.type(of: state))?.replaceInitial(with: state)
        }
        for (saving, persistence, place) in continued { savings.replace(saving, with: persistence, at: place) }
        // It holds what it needs now, and no longer what it needed before.
        let unneeded = registration.needs
        let released = registration.disconnect()
        (registration.needs, registration.children) = (new.needs, [])
        registration.connect(as: registration.generation)
        modules.connectBehaviour(of: new, at: site)
        let name = registration.content.name(in: self)
        reporter.tell { $0.moduleReplaced(type, in: name, leaving: readers.reader(at: tree.root)) }
        for module in plan.shared { reporter.tell { $0.moduleShared(module) } }
        replaced += plan.entries.map(\.registration)
        startWatchers(of: registration, at: site)
        follow(plan.entries.flatMap(\.registration.children))
        // Now the new children hold what remains.
        var earlier = Set(released.map { ObjectIdentifier($0) })
        let replacements = registration.children.flatMap { $0.replacements(of: &earlier) }
        cancelled += removeUnneeded(released + unneeded)
        return replacements.sorted { $0.child.generation > $1.child.generation }
    }

    // MARK: Removing

    /// Releases a module that was registered by name, and removes it if nothing else holds it.
    ///
    /// - Returns: The runs that were cancelled.
    func unregister(
        _ module: any Relux.Module.Type, id: AnySendableHashable?, as caller: Caller, at site: Relux.CallSite
    ) -> [Run] {
        guard let scope = try? scopeToChange(as: caller, at: site) else { return [] }
        let registration = scope.registration(of: module, id: id)
        if let registration, registration.release(nil) { return removeUnneeded([registration]) }
        let dependents = tree.root.registrations.filter { registration?.dependents.contains($0.generation) == true }
        let reason: Relux.Refusal.Reason =
            if let registration {
                dependents.isEmpty
                    ? .moduleHeldByLeases(module, leases: registration.holders.values.reduce(0, +))
                    : .moduleStillNeeded(module, by: dependents.map(\.module))
            } else if let id {
                .noInstance(Relux.Scope(self, ScopeAddress(of: module, id: id, in: scope.address)))
            } else if module is any (Relux.Module & Identifiable).Type {
                .idMissing(module)
            } else {
                .moduleNotRegistered(module)
            }
        reporter.refused(reason, at: site)
        return []
    }

    /// Ends a lease. A lease of an earlier generation has no effect.
    ///
    /// - Returns: The runs that were cancelled.
    func endLease(
        _ number: UInt64, of module: any Relux.Module.Type, id: AnySendableHashable?, as caller: Caller
    ) -> [Run] {
        guard phase == .open, let scope = tree.scope(of: caller),
            let registration = scope.registration(of: module, id: id),
            registration.release(number)
        else { return [] }
        return removeUnneeded([registration])
    }

    /// Removes modules if they are no longer needed, and then what only they needed, in one step.
    ///
    /// - Parameter spared: Runs that continue, unless they belong to these modules.
    /// - Returns: The runs that were cancelled.
    @discardableResult
    func removeUnneeded(_ registrations: [ModuleRegistration], sparing spared: Set<Run> = []) -> [Run] {
        let removed = modules.detachUnneeded(registrations)
        guard !removed.isEmpty else { return [] }
        let runners = removed.flatMap(\.allRunners)
        let concerned = RunTable.triggers(of: runners)
        let halted = cancel(
            concerned, sparing: spared.subtracting(concerned), closedBy: runs[actingRun], withoutCleanupOf: runners)
        runs.closeWindows(of: runners)
        readers.keepLast(of: removed.flatMap(\.cells), ofScopes: Set(removed.map(\.content.serial)))
        for registration in removed { modules.disconnect(registration, isRemoval: true) }
        return concerned + halted
    }

    // MARK: Children

    /// Brings the instances of some bindings up to date.
    ///
    /// One scope after another, from the outside in, so that the bindings of an instance that is removed are no longer
    /// asked: their closures may rely on its id.
    ///
    /// - Parameter spared: Runs that continue, unless their instances are removed.
    func follow(_ bindings: [any AnyChildrenBinding], sparing spared: Set<Run> = []) {
        let groups = Dictionary(grouping: bindings) { $0.scope.serial }
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) { update(group, sparing: spared) }
    }

    /// Compares the bindings of one scope, and removes and adds their instances. An id that moves from one of the lists
    /// to another keeps its instance.
    private func update(_ bindings: [any AnyChildrenBinding], sparing spared: Set<Run>) {
        let changed = bindings.filter { $0.compare() }
        guard !changed.isEmpty else { return }
        if changed.count > 1 {
            for binding in changed { binding.adopt() }
        }
        for binding in changed { removeUnneeded(binding.releaseUnwanted(), sparing: spared) }
        add(changed)
    }

    /// Adds the noted instances, each with those inside of it before the next.
    ///
    /// A stack of its own instead of recursion, because instances may be nested to any depth: the call that registers
    /// one of the instances leaves those inside of it to the outermost call.
    private func add(_ children: [any AnyChildrenBinding]) {
        let isOutermost = unfinishedChildren.isEmpty
        unfinishedChildren += children.reversed()
        guard isOutermost else { return }
        while let binding = unfinishedChildren.last {
            if let next = binding.nextRegistration(at: unfinishedChildren.count) {
                // Every other branch would end there, too, and there may be more of them than can ever be tried.
                if unfinishedChildren.count > Relux.Children.depthLimit {
                    for inner in unfinishedChildren.dropFirst(children.count) { inner.leaveOut() }
                }
                register(next)
            } else {
                unfinishedChildren.removeLast()
            }
        }
    }
}
