/// Waiting for the store to become idle.
extension Core {
    /// Whether nothing is busy, and nothing will be without a further call.
    var isIdle: Bool { runs.isIdle && savings.isIdle && leftovers.savings.isEmpty && !mailbox.isOccupied }

    /// Begins a wait for idleness.
    ///
    /// - Parameter run: The run whose task waits; 0 if it belongs to none.
    /// - Returns: The signal fires when the store is idle, or when the wait is vain. Nil if the store is idle now.
    func rest(for run: RunID) -> (signal: Signal, place: UInt64)? {
        guard !isIdle else { return nil }
        let signal = Signal()
        let place = leftovers.idlers.append((signal, run))
        if !runs.waitForIdleness(run) { failIdlers(of: run) }
        return (signal, place)
    }

    /// Ends a wait for idleness.
    ///
    /// - Returns: What was still busy; nil if the store had become idle.
    func stopResting(_ place: UInt64, because reason: Relux.NotIdle.Reason) -> Relux.NotIdle? {
        if let failure = failedIdlers.removeValue(forKey: place) { return failure }
        guard let (_, run) = leftovers.idlers.remove(place) else { return nil }
        runs.stopWaitingForIdleness(run)
        return notIdle(because: reason)
    }

    func wakeIdlers() {
        for (signal, run) in leftovers.idlers.removeAll() {
            runs.stopWaitingForIdleness(run)
            signal.fire()
        }
    }

    /// Ends the waits for idleness of a run, which are vain: the store can't become idle before that run ends.
    func failIdlers(of run: RunID) {
        if let own = runs.record(of: run) { reporter.refused(.waitCycle(waiting: own, on: own), at: nil) }
        let error = notIdle(because: .calledFromRun(run))
        var failed: [UInt64] = []
        leftovers.idlers.forEach { place, idler in if idler.run == run { failed.append(place) } }
        for place in failed {
            failedIdlers[place] = error
            leftovers.idlers.remove(place)?.signal.fire()
            runs.stopWaitingForIdleness(run)
        }
    }

    private func notIdle(because reason: Relux.NotIdle.Reason) -> Relux.NotIdle {
        Relux.NotIdle(
            reason: reason,
            busy: runs.busy.compactMap { id -> Relux.NotIdle.BusyRun? in
                guard let record = runs.record(of: id) else { return nil }
                return Relux.NotIdle.BusyRun(
                    run: record, phase: Relux.NotIdle.Phase(runs.runs[id]?.phase),
                    waitsFor: runs.blockers(of: id).compactMap { runs.record(of: $0) }
                )
            } + busySaves
        )
    }
}

extension Relux.NotIdle.Phase {
    /// - Parameter phase: That of the run; nil for a trigger that has joined one.
    fileprivate init(_ phase: RunPhase?) {
        switch phase {
        case .pending: self = .pending
        case .queued: self = .queued
        case .active: self = .active
        case .dying: self = .ending
        case nil: self = .joined
        }
    }
}
