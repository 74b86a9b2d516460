/// Reset and the end.
extension Core {
    /// Cancels the runs in the caller's scope and in the instances inside it, or those of some modules, and restores
    /// the initial values, in one step.
    ///
    /// - Parameters:
    ///   - only: The modules, with everything in their instances and the instances that follow their states; nil for
    ///     all.
    ///   - action: An action that is reduced afterwards, in the same step.
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func reset(
        only: [any Relux.Module.Type]?, except kept: [any Relux.State.Type], sparing: Relux.ResetSparing,
        then action: (any Relux.Action)?, as caller: Caller, at site: Relux.CallSite
    ) -> Group? {
        guard let scope = try? scopeToChange(as: caller, at: site) else { return nil }
        let registrations = only.map { modules.registrations(of: $0, in: scope, at: site) } ?? scope.registrations
        let runners = registrations.flatMap(\.allRunners)
        let callers = sparing == .caller ? [runs[caller.run], runs[caller.waiter]].compactMap { $0 } : []
        let spared = Set(callers.filter(\.isActive).flatMap { runs.runsAwaiting($0) })
        let triggers = only == nil && scope.isRoot ? runs.all : RunTable.triggers(of: runners)
        let concerned = triggers.filter { !spared.contains($0) }
        let own = Set(runners.map { ObjectIdentifier($0) })
        // Runs of other modules clean up if they are cancelled because one of these performed them.
        cancel(concerned, sparing: spared) { halt in
            only != nil && halt.runner.map { !own.contains(ObjectIdentifier($0)) } == true
        }
        let scopes = only == nil ? Set(([scope] + scope.descendants).map(\.serial)) : []
        runs.closeWindows(of: runners, in: scopes)

        let keptKeys = Set(kept.map { ObjectIdentifier($0) })
        let cells = registrations.flatMap(\.cells).filter { !keptKeys.contains(ObjectIdentifier($0.state)) }
        for cell in cells {
            cell.reset()
            dispatch.forgetChange(of: cell)
            readers.note(cell.source)
            savings.noteReset(of: cell)
        }
        reporter.tell { $0.statesReset(cells.map(\.state), leaving: readers.reader(at: tree.root)) }
        // The instances whose ids are not in the initial values go; those that remain were reset with the others.
        let newest = modules.nextSerial()
        follow(modules.children(of: cells))

        // The watchers of new instances have just been started.
        for registration in registrations where registration.isConnected && registration.generation < newest {
            startWatchers(of: registration, except: spared, at: site)
        }
        let openings = modules.removeOpenings()
        if action != nil || !openings.isEmpty {
            let purpose = runs[caller.run].map { Step.Purpose.accompanying($0) } ?? .dispatching
            var step = begin(as: .nobody(in: scope.address), at: site, for: purpose)
            for opening in openings where opening.scope.isOpen { take(opening.action, from: opening.scope, in: &step) }
            if let action { take(action, in: &step) }
            _ = end(&step)
        }
        if leftovers.accompaniments.isEmpty { wake() }
        return drain(concerned, for: caller)
    }

    /// Cancels all runs, removes everything, and stops taking actions.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func shutDown(as caller: Caller) -> Group? {
        let concerned = runs.all
        if phase == .open { end(as: .shutDown) }
        return drain(concerned, for: caller)
    }

    /// The last reference to the store is gone: ends everything, and resumes all callers, without waiting.
    ///
    /// Only the runs whose tasks have not ended remain, so that their ends are reported.
    ///
    /// - Parameter isKilled: Whether nothing is saved any more, as if the process were killed. For simulations.
    func release(killing isKilled: Bool = false) {
        guard phase != .released else { return }
        for group in savings.removeAllWaits() { carryOut(runs.abandon(group) { $0.refusal = .storeShutDown }) }
        if isKilled { leftovers.cancellations += savings.kill() }
        // Whether the runs react to their cancellation doesn't matter.
        let groups = runs.allGroups
        end(as: .released)
        for group in groups { carryOut(runs.abandon(group) { $0.note(.cancelled) }) }
    }

    /// Cancels all runs, removes modules and states, and ends every sequence.
    private func end(as phase: StorePhase) {
        cancel(runs.all) { _ in false }
        self.phase = phase
        if phase == .released { leftovers.awaitsRest = true }
        modules.forgetGivenStates()
        let root = tree.root
        for scope in [root] + root.descendants { dispatch.streams.finishStreams(of: scope) }
        for registration in root.registrations.reversed() {
            registration.disconnect()
            disconnect(registration)
            // A child may need the module that holds it.
            for children in registration.children { _ = children.releaseAll() }
        }
        // Those of modules that have gone earlier, too.
        for saving in savings.inOrder { savings.tryOnceMore(saving) }
        readers.noteEnd(of: root)
        root.end()
        // After a shutdown, the failures of the last saves are still to come.
        if phase == .released || savings.isEmpty { reporter.finishStreams() }
        leftovers.cancellations += modules.loadTasks
        wake()
        readers.releaseFollowers()
    }
}
