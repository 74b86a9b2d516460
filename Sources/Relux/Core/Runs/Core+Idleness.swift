/// Waiting for the store to become idle.
extension Core {
    /// Whether nothing is busy, and nothing will be without a further call.
    var isIdle: Bool { runs.isIdle && savings.isIdle && leftovers.savings.isEmpty && !mailbox.isOccupied }

    /// Begins a wait for idleness.
    ///
    /// - Parameter run: The run whose task waits; 0 if it belongs to none.
    /// - Returns: The end of the wait, which is refused if it could never end; nil if the store is idle now.
    func rest(for run: RunID) -> Completion? {
        guard !isIdle else { return nil }
        let end = runs.gatherIdleness(for: run, self)
        leftovers.awaitsRest = true
        awaitOrAbandon(end, by: run)
        return end
    }

    /// The store is idle.
    func wakeIdlers() {
        leftovers.awaitsRest = phase == .released
        for group in runs.idlers.sorted() { carryOut(runs.end(RunTable.idleness, in: group)) }
    }

    /// Gives up a wait for idleness.
    ///
    /// - Returns: What is still busy; nil if the store is idle after all.
    func stopResting(_ end: Completion, because reason: Relux.NotIdle.Reason) -> Relux.NotIdle? {
        carryOut(runs.abandon(end.group) { _ in })
        guard !isIdle else { return nil }
        return Relux.NotIdle(
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
