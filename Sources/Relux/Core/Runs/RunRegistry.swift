/// The runs of a store, and the only owner of their ``RunTable``.
///
/// Each method makes one transition of the table and carries out what the table decided. Who completes a run: its own
/// task, by ``end(_:_:)``, after its body has returned or thrown. Who cancels it: the table decides, and the run's
/// right to write is gone in that very step; its task is cancelled after the caller has left the store, because that
/// executes cancellation handlers. Who waits: nobody here; the last member of a group to end fulfils its
/// ``Completion``.
///
/// - Isolation: The core's.
final class RunRegistry {
    /// A task that waits for the store to become idle.
    struct Idler {
        let rested: Signal
        /// The run whose task it is; 0 if there is none.
        let run: RunID
    }

    // exclusivity(unchecked), here and below: only the methods of this type change these, and they call no code that
    // could come back here while they do. The checks would cost a tenth of a perform.
    @exclusivity(unchecked) private(set) var table = RunTable()
    private let reporter: Reporter
    private let clock: StoreClock
    @exclusivity(unchecked) private(set) var lastRun: RunID = 0
    @exclusivity(unchecked) private var cleanups = Queue<Cleanup>()
    @exclusivity(unchecked) private var departures = TinyList<RunHandle>()
    @exclusivity(unchecked) private(set) var idlers: [Idler] = []
    @exclusivity(unchecked) private(set) var waits = RunWaits()

    init(_ reporter: Reporter, _ clock: StoreClock) {
        self.reporter = reporter
        self.clock = clock
    }

    // MARK: Admission and ends

    /// The number of a new run.
    func nextRun() -> RunID {
        lastRun &+= 1
        return lastRun
    }

    /// Admits a run, and starts, queues, delays, or drops it.
    ///
    /// - Parameter run: A new run, in an open group.
    /// - Returns: Whether the caller must create the run's task, and not drop it: it may also join another run.
    func admit(_ run: RunHandle) -> Bool {
        guard run.isRelated else {
            table.admitAlone(run)
            if reporter.hasObservers { reporter.runStarted(run.record) }
            return true
        }
        let admission = table.admit(
            // The clock is read only if the policy needs the time.
            run, now: run.policy.kind.isTimed ? clock.now() : .zero,
            canShare: { $0.entry.runner?.canShareResult(with: $1.entry.runner) ?? false }
        )
        switch admission.placement {
        case .queue: run.entry.start = .inTurn(Signal())
        case .delay(let deadline): run.entry.start = .at(deadline)
        case .start, .join, .drop: break
        }
        if !admission.changes.isEmpty { carryOut(admission.changes) }
        switch admission.placement {
        case .start:
            if reporter.hasObservers { reporter.runStarted(run.record) }
            return true
        case .queue, .delay:
            return true
        case .join:
            return false
        case .drop:
            reporter.runEnded(run.record, .dropped)
            return false
        }
    }

    /// The deadline of a pending run has come.
    ///
    /// - Returns: Whether it may start.
    func deadlineReached(_ run: RunHandle) -> Bool {
        let changes = table.deadlineReached(run, now: clock.now())
        carryOut(changes)
        return changes.starts.contains { $0 === run }
    }

    /// The task of a run has ended.
    func end(_ run: RunHandle, _ result: RunResult) {
        if case .finished = result, table.isAlone(run), waits.isEmpty, !reporter.hasObservers {
            let completed = table.removeAlone(run)
            discard(run)
            completed?.fulfil()
            return
        }
        guard let ended = table.end(run, result) else { return }
        discard(run)
        if !waits.isEmpty { endWaits(of: run.id) }
        if let error = ended.unreceivedError { reporter.failed(run.record, error) }
        if reporter.hasObservers { reporter.runEnded(run.record, ended.result, lateError: ended.lateError) }
        carryOut(ended.changes)
    }

    /// Releases what a run no longer needs. Its contexts may hold it for longer.
    private func discard(_ run: RunHandle) {
        run.entry.runner = nil
        run.inbox?.discard()
    }

    // MARK: Groups

    func open(_ group: Completion) { table.open(group) }

    /// Notes why an effect has no result although its runs continue.
    func note(refusal: Relux.EffectError, in group: Completion) {
        table.updateSummary(of: group) { $0.note(refusal: refusal) }
    }

    func seal(_ group: Completion) {
        // Usually, its runs have just been started.
        if group.entry.members.isEmpty { carryOut(table.seal(group)) } else { group.entry.isSealed = true }
    }

    /// Fulfils a group now, and cancels those of its members for which nobody else waits.
    func abandon(_ group: Completion, _ note: (inout GroupSummary) -> Void) {
        table.updateSummary(of: group, note)
        var changes = table.withdraw(table.members(of: group))
        if table.dissolve(group) { changes.completed.append(group) }
        carryOut(changes)
    }

    /// Fulfils all groups now. Whether their runs react to their cancellation doesn't matter.
    func abandonAllGroups() {
        for group in table.groups {
            table.updateSummary(of: group) { $0.note(.cancelled, of: .saga) }
            if table.dissolve(group) { group.fulfil() }
        }
    }

    /// A completion of existing runs, as far as the caller may wait for them.
    ///
    /// A caller that is a run itself waits neither for itself nor for the runs that await or perform it.
    func drain(_ runs: [RunID], for origin: Origin, _ makeCompletion: () -> Completion) -> Completion? {
        let excluded = origin.run == 0 ? [] : table.runsOutlasting(origin.run)
        let members = runs.filter { !excluded.contains($0) && table.runs.contains($0) }
        guard !members.isEmpty else { return nil }
        let completion = makeCompletion()
        carryOut(table.gather(members, in: completion))
        if origin.run != 0, table.wait(origin.run, for: completion) != nil { return nil }
        return completion
    }

    // MARK: Waits that end with a run

    /// Ends a wait when a run has ended or has been halted.
    ///
    /// - Returns: Whether the run is live, so that the wait was added.
    @discardableResult
    func addWait(_ wait: any WaitOfRun, of run: RunID) -> Bool {
        guard isLive(run) else { return false }
        waits.add(wait, of: run)
        return true
    }

    func removeWait(_ wait: any WaitOfRun, of run: RunID) { waits.remove(wait, of: run) }

    private func endWaits(of run: RunID) {
        // By now, the waits are no longer listed: what ends here may add others.
        for wait in waits.removeAll(of: run) { wait.runEnded() }
    }

    // MARK: Waiting

    /// Adds an edge to the wait-for graph.
    ///
    /// - Returns: Nil, or the records of the two runs of which each would wait for the other. Nothing was added then.
    func wait(_ run: RunID, for group: Completion) -> (waiting: Relux.RunRecord, on: Relux.RunRecord)? {
        guard run != 0, let blocker = table.wait(run, for: group), let waiting = record(of: run),
            let on = record(of: blocker)
        else { return nil }
        return (waiting, on)
    }

    func stopWaiting(_ run: RunID, for group: Completion) { table.stopWaiting(run, for: group) }

    /// A run, and all runs that await it, directly or through others.
    func runsAwaiting(_ run: RunID) -> Set<RunID> { table.runsAwaiting(run) }

    // MARK: Cancellation

    /// Cancels those members of a group for which nobody else waits, because the task that awaits them was cancelled.
    func cancel(group: Completion) { carryOut(table.cancel(group: group)) }

    /// Cancels runs and what they perform.
    ///
    /// - Parameters:
    ///   - spared: Runs that continue.
    ///   - cleanup: Whether the `actionOnCancel` of a cancelled run is reduced.
    /// - Returns: The runs that were halted.
    @discardableResult
    func cancel(
        _ runs: [RunID], sparing spared: Set<RunID> = [], _ cleanup: CleanupRule = .always
    ) -> [RunID] {
        let changes = table.cancel(runs, sparing: spared)
        carryOut(changes, cleanup)
        return changes.halts.elements.map(\.run.id)
    }

    /// Lets the next trigger of each throttle in some lanes run at once.
    func closeWindows(in isConcerned: (LaneKey) -> Bool) { table.closeWindows(in: isConcerned) }

    /// The tasks to cancel, after leaving the store.
    func takeDepartures() -> TinyList<RunHandle> {
        var taken = TinyList<RunHandle>()
        if !departures.isEmpty { swap(&taken, &departures) }
        return taken
    }

    @inline(__always)
    var hasCleanups: Bool { !cleanups.isEmpty }

    func nextCleanup() -> Cleanup? { cleanups.popFirst() }

    // MARK: Idleness

    var isIdle: Bool { table.busyCount == 0 }

    /// Adds a task that waits for the store to become idle.
    ///
    /// - Parameter run: The run whose task it is; 0 if there is none.
    /// - Returns: Whether it may wait: otherwise, something busy could only end after that run.
    func addIdler(_ rested: Signal, of run: RunID) -> Bool {
        guard run == 0 || table.waitForIdleness(run) else { return false }
        idlers.append(Idler(rested: rested, run: run))
        return true
    }

    /// - Returns: Whether it was there.
    func removeIdler(_ rested: Signal) -> Bool {
        guard let index = idlers.firstIndex(where: { $0.rested === rested }) else { return false }
        let idler = idlers.remove(at: index)
        if idler.run != 0 { table.stopWaitingForIdleness(idler.run) }
        return true
    }

    var hasIdlers: Bool { !idlers.isEmpty }

    func wakeIdlers() {
        defer { idlers = [] }
        for idler in idlers {
            if idler.run != 0 { table.stopWaitingForIdleness(idler.run) }
            idler.rested.fire()
        }
    }

    // MARK: Carrying out

    @inline(never)
    private func carryOut(_ changes: borrowing RunTable.Changes, _ cleanup: CleanupRule = .always) {
        // A separate function, because most transitions neither halt nor start other runs.
        if !changes.halts.isEmpty || !changes.starts.isEmpty { haltAndStart(changes, cleanup) }
        changes.completed.forEach { $0.fulfil() }
    }

    @inline(never)
    private func haltAndStart(_ changes: borrowing RunTable.Changes, _ cleanup: CleanupRule) {
        changes.halts.forEach { halt in
            let run = halt.run
            if halt.ending == .cancelled, cleanup.applies(to: run), let trigger = run.record.trigger,
                let action = run.entry.runner?.actionOnCancel(trigger)
            {
                cleanups.append(Cleanup(action: action, run: run))
            }
            if !halt.hadStarted {
                discard(run)
                reporter.runEnded(run.record, RunResult(halt.ending))
            }
            if !waits.isEmpty { endWaits(of: run.id) }
            departures.append(run)
        }
        for run in changes.starts {
            reporter.runStarted(run.record)
            if case .inTurn(let turn) = run.entry.start { turn.fire() }
        }
    }
}
