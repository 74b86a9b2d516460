/// Reset, rest and end.
extension Core {
    /// A completion for the end of runs that are there already, as far as the caller may wait for them.
    ///
    /// A caller that is a run itself waits neither for itself nor for those that await it.
    func drain(_ runs: [RunTable.RunID], by speaker: Speaker) -> Completion? {
        let excluded = speaker.run == 0 ? [] : table.runsAwaiting(speaker.run)
        let members = runs.filter { !excluded.contains($0) && table.runs.contains($0) }
        guard !members.isEmpty else { return nil }
        let completion = Completion(group: engine.nextGroup(), engine)
        completions.set(completion.group, to: completion)
        carryOut(table.gather(members, as: completion.group))
        if speaker.run != 0, table.wait(speaker.run, for: completion.group) != nil { return nil }
        return completion
    }

    /// Cancels all runs and puts all states back, in one step.
    ///
    /// - Returns: What to await: the end of the runs that were cancelled.
    func reset(except kept: [any Relux.State.Type], by speaker: Speaker, at site: Relux.CallSite) -> Completion? {
        guard phase == .open else {
            report(.storeShutDown, at: site)
            return nil
        }
        guard mayWrite(speaker, at: site) else { return nil }
        let spared = table.isLive(speaker.run) ? table.runsAwaiting(speaker.run) : []
        let concerned = table.runs.keys.filter { !spared.contains($0) }
        carryOut(table.cancel(concerned, sparing: spared)) { _ in false }
        table.closeWindows()

        let keptKeys = Set(kept.map { ObjectIdentifier($0) })
        let resetSlots = modules.inOrder.flatMap(\.connections.slots)
            .filter { !keptKeys.contains(ObjectIdentifier($0.state)) }
        for slot in resetSlots { slot.reset() }
        tell { observer in observer.statesReset(resetSlots.map(\.state)) }

        let running = Set(spared.compactMap { entries.at($0)?.pointee.responder })
        for registration in modules.inOrder {
            for (id, watcher) in registration.connections.watchers where !running.contains(id) {
                start(watcher, as: id, at: site)
            }
        }
        for slot in resetSlots { slot.wake() }
        settle()
        return drain(concerned, by: speaker)
    }

    /// Cancels everything, removes everything, and lets nothing in any more.
    ///
    /// - Returns: What to await: the end of the runs that were cancelled.
    func shutDown(by speaker: Speaker) -> Completion? {
        let concerned = table.runs.keys
        if phase == .open {
            phase = .shutDown
            isQuick = false
            carryOut(table.cancel(concerned)) { _ in false }
            empty()
        }
        settle()
        return drain(concerned, by: speaker)
    }

    /// The last reference to the store is gone: ends everything without waiting for anything.
    ///
    /// What is left are the runs whose tasks have not ended yet, so that the observers hear of their ends.
    func release() {
        guard phase != .released else { return }
        phase = .released
        isQuick = false
        carryOut(table.cancel(table.runs.keys)) { _ in false }
        empty()
        // Whoever waits is let go, whether or not the runs listen to their cancellation.
        for completion in completions.inOrder {
            completion.note(.cancelled)
            completion.end()
        }
        completions = NumberMap()
        for idler in idlers { idler.fire() }
        idlers = []
    }

    /// Removes modules and states, and ends every sequence.
    private func empty() {
        for route in routeOwner.inOrder.sorted(by: { $0.serial < $1.serial }) { route.finishStreams() }
        for registration in modules.removeAll() { disconnect(registration) }
        routes = NumberMap()
        routeOwner = NumberMap()
        for stream in failureStreams { stream.finish() }
        failureStreams = []
        awaitingStates.fire()
        dropGivenStates()
    }

    // MARK: Idleness

    enum Rest: Sendable {
        case idle
        case busy
        /// The caller is a run itself, and would wait for its own end.
        case never(Relux.NotIdle)
    }

    /// Says whether nothing is to be done, and else fires the signal once there isn't.
    func rest(for speaker: Speaker, _ rested: Signal) -> Rest {
        if let run = table.runs[speaker.run], !run.isWatcher {
            if let own = entries.at(speaker.run)?.pointee.record { report(.waitCycle(waiting: own, on: own), at: nil) }
            return .never(notIdle(because: .calledFromRun(speaker.run)))
        }
        guard table.busyCount > 0 || mailbox.isOccupied else { return .idle }
        idlers.append(rested)
        return .busy
    }

    /// Ends a wait for idleness.
    ///
    /// - Returns: What was still busy, or nil if the store had become idle.
    func leave(_ rested: Signal, because reason: Relux.NotIdle.Reason) -> Relux.NotIdle? {
        guard idlers.contains(where: { $0 === rested }) else { return nil }
        idlers.removeAll { $0 === rested }
        return notIdle(because: reason)
    }

    /// Tells those who wait for it that nothing is to be done.
    func wakeIdlers() {
        guard !idlers.isEmpty, table.busyCount == 0, !isCollecting, !mailbox.isOccupied else { return }
        let woken = idlers
        idlers.removeAll()
        for idler in woken { idler.fire() }
    }

    /// The runs that keep the store from being idle.
    func notIdle(because reason: Relux.NotIdle.Reason) -> Relux.NotIdle {
        let busy = table.runs.keys { !$0.isWatcher }
        return Relux.NotIdle(
            reason: reason,
            busy: busy.compactMap { run in
                guard let entry = entries[run], let state = table.runs[run] else { return nil }
                return Relux.NotIdle.BusyRun(
                    run: entry.record,
                    standing: Relux.NotIdle.Standing(state.phase),
                    waitsFor: table.blockers(of: run).compactMap { entries.at($0)?.pointee.record }
                )
            }
        )
    }
}

extension Relux.NotIdle.Standing {
    fileprivate init(_ phase: RunTable.Phase) {
        switch phase {
        case .pending: self = .pending
        case .queued: self = .queued
        case .active: self = .active
        case .dying: self = .ending
        }
    }
}
