/// Reset and the end.
extension Core {
    /// Cancels the runs in the caller's scope and in the instances inside it, and restores the initial values, in one
    /// step.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func reset(
        except kept: [any Relux.State.Type], sparing: Relux.ResetSparing, as origin: Origin,
        at site: Relux.CallSite
    ) -> Completion? {
        guard let scope = try? scopeToChange(as: origin, at: site) else { return nil }
        let callers = sparing == .caller ? [origin.run, origin.waiter].filter { runs.isLive($0) } : []
        let spared = Set(callers.flatMap { runs.runsAwaiting($0) })
        let concerned = triggers(in: scope).filter { !spared.contains($0) }
        cancel(concerned, sparing: spared) { _ in false }
        let scopes = Set(([scope] + scope.descendants).map(\.serial))
        runs.closeWindows { scopes.contains($0.scope) }

        let keptKeys = Set(kept.map { ObjectIdentifier($0) })
        let cells = scope.registrations.flatMap(\.cells).filter { !keptKeys.contains(ObjectIdentifier($0.state)) }
        for cell in cells {
            cell.reset()
            noteReset(of: cell)
        }
        reporter.tell(in: self) { $0.statesReset(cells.map(\.state), leaving: $1) }
        // The instances whose ids are not in the initial values go; those that remain were reset with the others.
        let newest = nextSerial()
        follow(cells.flatMap(\.children))

        let running = Set(spared.compactMap { runs.runs[$0]?.handle.saga })
        // The watchers of new instances have just been started.
        for registration in scope.registrations where registration.generation < newest {
            startWatchers(of: registration, except: running, at: site)
        }
        for cell in cells { wakeReaders(of: cell.source) }
        return drain(concerned, for: origin)
    }

    /// Cancels all runs, removes everything, and stops taking actions.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func shutDown(as origin: Origin) -> Completion? {
        let concerned = runs.all
        if phase == .open { end(as: .shutDown) }
        return drain(concerned, for: origin)
    }

    /// Ends everything without waiting and without saving, as if the process were killed. For simulations.
    func kill() {
        abandonSavingWaits()
        for saving in savings.inOrder {
            saving.cell.saving = nil
            saving.stopFollowing()
            savings.remove(saving)
            leftovers.cancellations += [saving.timer?.task, saving.follower].compactMap { $0 }
        }
        leftovers.savings = []
        release()
    }

    /// The last reference to the store is gone: ends everything without waiting.
    ///
    /// Only the runs whose tasks have not ended remain, so that their ends are reported.
    func release() {
        guard phase != .released else { return }
        end(as: .released)
        abandonSavingWaits()
        // Whether the runs react to their cancellation doesn't matter.
        for group in runs.groups.keys.sorted() {
            carryOut(runs.abandon(group) { $0.note(.cancelled) })
        }
    }

    /// Cancels all runs, removes modules and states, and ends every sequence.
    private func end(as phase: StorePhase) {
        cancel(runs.all) { _ in false }
        self.phase = phase
        if phase == .released { leftovers.awaitsRest = true }
        givenStates = [:]
        for scope in [root] + root.descendants { finishStreams(of: scope) }
        for registration in root.registrations.reversed() {
            registration.disconnect()
            disconnect(registration)
            // A child may need the module that holds it.
            for children in registration.children { _ = children.releaseAll() }
        }
        // Those of modules that have gone earlier, too.
        for saving in savings.inOrder { tryOnceMore(saving) }
        root.removeAll()
        // After a shutdown, the failures of the last saves are still to come.
        if phase == .released || savings.all.isEmpty { reporter.finishStreams() }
        leftovers.cancellations += savings.registrations.values.compactMap(\.task)
        wakeReaders(of: root)
        releaseFollowers()
    }
}
