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
        let place = leftovers.idlers.append((signal, run, false))
        if !runs.waitForIdleness(run) { failIdlers(of: run) }
        return (signal, place)
    }

    /// Ends a wait for idleness.
    ///
    /// - Returns: What was still busy; nil if the store had become idle.
    func stopResting(_ place: UInt64, because reason: Relux.NotIdle.Reason) -> Relux.NotIdle? {
        guard let (_, run, isVain) = leftovers.idlers.remove(place) else { return nil }
        if !isVain { runs.stopWaitingForIdleness(run) }
        return notIdle(because: isVain ? .calledFromRun(run) : reason)
    }

    /// The store is idle, or has been released.
    func wakeIdlers() {
        for (signal, run, isVain) in leftovers.idlers.removeAll() {
            if !isVain { runs.stopWaitingForIdleness(run) }
            signal.fire()
        }
    }

    /// Ends the waits for idleness of a run, which are vain: the store can't become idle before that run ends.
    func failIdlers(of run: RunID) {
        if let own = runs.record(of: run) { reporter.refused(.waitCycle(waiting: own, on: own), at: nil) }
        let idlers = leftovers.idlers
        idlers.forEach { place, idler in
            guard idler.run == run, leftovers.idlers.replace(place, with: (idler.signal, run, true)) else { return }
            idler.signal.fire()
        }
    }

    private func notIdle(because reason: Relux.NotIdle.Reason) -> Relux.NotIdle {
        Relux.NotIdle(
            reason: reason,
            busy: runs.busy.compactMap { id -> Relux.NotIdle.BusyRun? in
                guard let record = runs.record(of: id) else { return nil }
                return Relux.NotIdle.BusyRun(
                    run: record, phase: runs.runs[id]?.phase.reported ?? .joined,
                    waitsFor: runs.blockers(of: id).compactMap { runs.record(of: $0) }
                )
            } + busySaves
        )
    }
}

extension RunPhase {
    fileprivate var reported: Relux.NotIdle.Phase {
        switch self {
        case .pending: .pending
        case .queued: .queued
        case .active: .active
        case .dying: .ending
        }
    }
}
