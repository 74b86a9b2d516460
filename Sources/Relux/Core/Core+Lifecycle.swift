/// Reset, idleness, and the end.
extension Core {
    /// A completion for the end of existing runs, as far as the caller may wait for them.
    // inline(never): this would otherwise be copied into each of its callers.
    @inline(never)
    func drain(_ halted: [RunID], for origin: Origin) -> Completion? {
        runs.drain(halted, for: origin) { Completion(self) }
    }

    /// Cancels the runs in the caller's scope and in the instances inside it, and restores the initial values, in one
    /// step.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func reset(
        except kept: [any Relux.State.Type], sparing: Relux.ResetSparing, as origin: Origin,
        at site: Relux.CallSite
    ) -> Completion? {
        guard phase == .open else {
            reporter.refused(.storeShutDown, at: site)
            return nil
        }
        guard mayWrite(origin, at: site), let scope = scope(of: origin, at: site) else { return nil }
        let spared = sparing == .caller && runs.isLive(origin.run) ? runs.runsAwaiting(origin.run) : []
        let concerned = runs(in: scope).filter { !spared.contains($0) }
        runs.cancel(concerned, sparing: spared, .never)
        let scopes = Set(([scope] + scope.descendants).map(\.serial))
        runs.closeWindows { scopes.contains($0.scope) }

        let keptKeys = Set(kept.map { ObjectIdentifier($0) })
        let cells = scope.registrations.flatMap(\.connections.cells)
            .filter { !keptKeys.contains(ObjectIdentifier($0.state)) }
        for cell in cells { cell.reset() }
        reporter.tell { observer in observer.statesReset(cells.map(\.state)) }
        // The instances whose ids are not in the initial values go; those that remain were reset with the others.
        let newest = nextSerial()
        follow(cells)

        let running = Set(spared.compactMap { runs.saga(of: $0) })
        // The watchers of new instances have just been started.
        for registration in scope.registrations where registration.generation < newest {
            for watcher in registration.connections.watchers where !running.contains(watcher.id) {
                start(watcher.watcher, as: watcher.id, in: registration.content, at: site)
            }
        }
        for cell in cells { cell.wakeReaders() }
        return drain(concerned, for: origin)
    }

    /// Cancels all runs, removes everything, and stops taking actions.
    ///
    /// - Returns: The end of the runs that were cancelled, to be awaited outside.
    func shutDown(as origin: Origin) -> Completion? {
        let concerned = runs.all
        if phase == .open {
            runs.cancel(concerned, .never)
            close(as: .shutDown)
            removeEverything()
        }
        return drain(concerned, for: origin)
    }

    /// The last reference to the store is gone: ends everything without waiting.
    ///
    /// Only the runs whose tasks have not ended remain, so that their ends are reported.
    func release() {
        guard phase != .released else { return }
        runs.cancel(runs.all, .never)
        close(as: .released)
        removeEverything()
        runs.abandonAllGroups()
        runs.wakeIdlers()
    }

    /// Removes modules and states, and ends every sequence.
    private func removeEverything() {
        for scope in [root] + root.descendants { scope.routes.finishStreams() }
        for registration in root.registrations.reversed() {
            registration.release()
            registration.holder.modules.remove(registration)
            disconnect(registration)
        }
        root.removeAll()
        reporter.finishStreams()
        awaited.fire()
    }

    // MARK: Idleness

    /// Determines whether there is nothing to do. Otherwise, the signal fires when that is the case.
    ///
    /// - Parameter waiter: The run whose task asks; 0 if there is none.
    /// - Returns: Whether there is nothing to do. A failure if the caller is a run itself, and would wait for its own
    ///   end.
    func rest(for waiter: RunID, _ rested: Signal) -> Result<Bool, Relux.NotIdle> {
        guard !runs.isIdle || mailbox.isOccupied else { return .success(true) }
        guard runs.addIdler(rested, of: waiter) else {
            if let own = runs.record(of: waiter) { reporter.refused(.waitCycle(waiting: own, on: own), at: nil) }
            return .failure(notIdle(because: .calledFromRun(waiter)))
        }
        return .success(false)
    }

    /// Ends a wait for idleness early.
    ///
    /// - Returns: What was still busy; nil if the store had become idle.
    func stopResting(_ rested: Signal, because reason: Relux.NotIdle.Reason) -> Relux.NotIdle? {
        runs.removeIdler(rested) ? notIdle(because: reason) : nil
    }

    private func notIdle(because reason: Relux.NotIdle.Reason) -> Relux.NotIdle {
        Relux.NotIdle(reason: reason, busy: runs.busyRuns)
    }
}
