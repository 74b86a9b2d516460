/// Reset and the end.
extension Core {
    /// Cancels the runs in the caller's scope and in the instances inside it, or those of some modules, and restores
    /// the initial values, in one step.
    ///
    /// - Parameters:
    ///   - only: The modules, with everything in their instances and the instances that follow their states; nil for
    ///     all.
    ///   - action: An action that is reduced afterwards, in the same step.
    /// - Returns: The runs that were cancelled.
    func reset(
        only: [any Relux.Module.Type]?, except kept: [any Relux.State.Type], sparing: Relux.ResetSparing,
        then action: (any Relux.Action)?, as caller: Caller, at site: Relux.CallSite
    ) -> [Run] {
        guard let scope = try? scopeToChange(as: caller, at: site) else { return [] }
        let registrations = only.map { modules.registrations(of: $0, in: scope, at: site) } ?? scope.registrations
        let runners = registrations.flatMap(\.allRunners)
        let callers = sparing == .caller ? runs.runs(of: caller) : []
        let spared = Set(callers.filter(\.isActive).flatMap { runs.runsAwaiting($0) })
        let triggers = only == nil && scope.isRoot ? runs.all : RunTable.triggers(of: runners)
        let concerned = triggers.filter { !spared.contains($0) }
        let halted = cancel(concerned, sparing: spared, withoutCleanupOf: runners)
        runs.closeWindows(of: runners, in: Set(scope.subtree.map(\.serial)), areAll: only == nil)

        let cells = registrations.flatMap(\.cells).filter { cell in !kept.contains { $0 == cell.state } }
        for cell in cells {
            cell.reset()
            for rule in cell.ruleBindings { rule.forgetChange() }
            readers.note(cell.source)
            savings.noteReset(of: cell)
        }
        reporter.tell { $0.statesReset(cells.map(\.state), leaving: readers.reader(at: tree.root)) }
        // The instances whose ids are not in the initial values go; those that remain were reset with the others. A run
        // that awaits the caller may be in one of them.
        actingRun = caller.run
        follow(modules.children(of: cells), sparing: spared)

        // The watchers of new instances have just been started.
        for registration in registrations where registration.isConnected {
            startWatchers(of: registration, except: spared, at: site)
        }
        let purpose = runs[caller.run].map { Step.Purpose.accompanying($0) } ?? .dispatching
        var step = begin(as: .nobody(in: scope.address), at: site, for: purpose)
        for opening in modules.removeOpenings() where opening.scope.isOpen {
            take(opening.action, from: opening.scope, in: &step)
        }
        if let action { take(action, in: &step) }
        _ = end(&step)
        return concerned + halted
    }

    /// Cancels all runs, removes everything, and stops taking actions.
    ///
    /// - Returns: The runs that have not ended.
    func shutDown() -> [Run] {
        let concerned = runs.all
        if phase == .open { end(as: .shutDown) }
        return concerned
    }

    /// The last reference to the store is gone: ends everything, and resumes all callers, without waiting.
    ///
    /// Only the runs whose tasks have not ended remain, so that their ends are reported.
    ///
    /// - Parameter isKilled: Whether nothing is saved any more, as if the process were killed. For simulations.
    func release(killing isKilled: Bool = false) {
        guard phase != .released else { return }
        for group in savings.removeAllWaits() { carryOut(runs.abandon(group) { $0.refusal = .storeShutDown }) }
        if isKilled { savings.kill() }
        // Whether the runs react to their cancellation doesn't matter.
        let groups = runs.allGroups
        end(as: .released)
        for group in groups { carryOut(runs.abandon(group) { $0.note(.cancelled) }) }
    }

    /// Cancels all runs, removes modules and states, and ends every sequence.
    private func end(as phase: StorePhase) {
        let root = tree.root
        cancel(runs.all, withoutCleanupOf: root.registrations.flatMap(\.allRunners))
        self.phase = phase
        let waiting = modules.end()
        for scope in root.subtree { dispatch.streams.finishStreams(of: scope) }
        for registration in root.registrations.reversed() {
            // A child may need the module that holds it.
            _ = registration.disconnect()
            modules.disconnect(registration, isRemoval: false)
        }
        // Those of modules that have gone earlier, too.
        for saving in savings.inOrder { savings.tryOnceMore(saving) }
        readers.noteEnd(of: root)
        root.close()
        // Their callers don't wait for loads that may never return.
        for registration in waiting { register(registration) }
        readers.wake()
        readers.releaseFollowers()
    }
}
