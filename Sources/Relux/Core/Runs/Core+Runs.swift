/// A run as the store executes it; where it stands is in the ``RunTable``.
struct RunEntry {
    let run: RunHandle
    let responder: RunTable.ResponderID
    /// The saga or flow; nil for watchers and for the bodies of timeouts, which have nothing to tidy up.
    let owner: AnyResponder?
    let completion: Completion
    /// Opened when a queued run's turn has come.
    let turn: Signal?

    var record: Relux.RunRecord { run.record }
}

/// The execution of what the table of runs decides.
///
/// Who completes: the task of a run, by `ended`, once its body has returned or thrown. Who cancels: the table names the
/// runs, their right to write is gone in that very step, and their tasks are cancelled then. Who waits: nobody here;
/// the last member of a group to end resumes those who await its completion.
extension Core {
    /// When the body of a run begins.
    enum Start: Sendable {
        case atOnce
        case inTurn(Signal)
        case at(Duration)
    }

    /// Takes in a run of a saga or a flow, as its policy says.
    func admit<A: Relux.Action>(
        _ trigger: A, to responder: Responder<A>, _ completion: Completion, _ intake: borrowing Intake
    ) {
        let policy = responder.policy(for: trigger)
        // What a middleware put in the place of the effect isn't what the caller knows the type of.
        let begins = intake.depth > 0 && beginning == nil && middleware.isEmpty
        // Made where it goes: a record that has a name here is copied for the handle.
        let run = RunHandle(
            Relux.RunRecord(
                id: nextRun(), kind: responder.isFlow ? .flow : .saga, saga: responder.saga, trigger: trigger,
                callSite: intake.site
            ),
            depth: begins ? intake.depth : 0, engine
        )
        admit(
            run, of: responder.id, owner: responder, policy: policy, completion,
            parent: intake.output != nil && table.isLive(intake.speaker.run) ? intake.speaker.run : nil
        ) { run, start in
            if begins, case .atOnce = start {
                beginning = Beginning(responder: responder, run: run)
            } else {
                responder.launch(run, for: trigger, start, in: self)
            }
        }
    }

    /// Takes an entry out, if it is there.
    @discardableResult
    private func forget(_ run: RunTable.RunID) -> RunEntry? {
        defer {
            if entries.isEmpty { engine.hasRuns.store(false, ordering: .releasing) }
        }
        return entries.take(run)
    }

    /// The number of a new run.
    func nextRun() -> RunTable.RunID {
        lastRun &+= 1
        return lastRun
    }

    /// Takes in a run, and starts, queues, delays or drops it.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - responder: The registration that it belongs to, or 0.
    ///   - owner: The saga or flow, if it may have something to tidy up.
    ///   - policy: What the saga said of the trigger.
    ///   - completion: Whom its end concerns.
    ///   - parent: The run that performs it.
    ///   - launch: Makes its task. Called unless the run is dropped.
    func admit(
        _ run: RunHandle, of responder: RunTable.ResponderID, owner: AnyResponder? = nil, policy: Relux.Policy,
        _ completion: Completion, parent: RunTable.RunID?, _ launch: (RunHandle, Start) -> Void
    ) {
        let id = run.record.id
        // The clock is read only where a policy counts time.
        let (placement, changes) = table.admit(
            id, of: responder, policy: policy, group: completion.group, parent: parent,
            isWatcher: run.record.kind == .watcher, now: policy.isTimed ? clock.now() : .zero
        )
        carryOut(changes)
        // Before there is a task that could ask.
        if entries.isEmpty { engine.hasRuns.store(true, ordering: .releasing) }
        var turn: Signal?
        switch placement {
        case .drop:
            forget(id)
            let entry = RunEntry(run: run, responder: responder, owner: owner, completion: completion, turn: nil)
            return conclude(entry, .dropped)
        case .start:
            tell { observer in observer.runStarted(run.record) }
            launch(run, .atOnce)
        case .queue:
            let signal = Signal()
            turn = signal
            launch(run, .inTurn(signal))
        case .delay(let deadline):
            launch(run, .at(deadline))
        }
        // Made last, and nowhere changed: what is put together piece by piece is retained piece by piece.
        let entry = RunEntry(
            run: run, responder: responder, owner: owner, completion: completion, turn: turn
        )
        entries.set(id, to: entry)
    }

    /// Makes the task of a run.
    ///
    /// It is made at once, even where the run has to wait: so it inherits the priority and the task-local values of the
    /// task that dispatched or performed. What was sent inherits neither.
    func launch(_ operation: @escaping @Sendable () async -> Void) {
        // Not told to prefer no executor: that would make each hop of the task slower by a third.
        switch (engine.executor, isCollecting) {
        case (let executor?, true): Task.detached(executorPreference: executor, operation: operation)
        case (let executor?, false): Task(executorPreference: executor, operation: operation)
        case (nil, true): Task.detached(operation: operation)
        case (nil, false): Task(operation: operation)
        }
    }

    /// Whether a task is simply made: it prefers no executor, and inherits from the one that asks.
    var isLaunchingAsUsual: Bool { engine.executor == nil && !isCollecting }

    /// A pending run's deadline has come. Says whether it may run.
    func deadlineReached(_ run: RunTable.RunID) -> Bool {
        let changes = table.deadlineReached(run, now: clock.now())
        carryOut(changes)
        settle()
        return changes.starts.contains(run)
    }

    /// The task of a run has ended.
    func ended(_ run: RunTable.RunID, _ outcome: Completion.Outcome) {
        guard let entry = forget(run) else { return }
        if case .dying(let ending)? = table.runs.at(run)?.pointee.phase {
            conclude(entry, Completion.Outcome(ending), lateError: outcome.lateError)
        } else {
            conclude(entry, outcome)
        }
        carryOut(table.end(run))
        settle()
    }

    /// Does what the table decided.
    ///
    /// - Parameters:
    ///   - changes: What the table decided.
    ///   - isTidying: Whether a cancelled run's `actionOnCancel` is reduced.
    @inline(__always)
    func carryOut(_ changes: RunTable.Changes, isTidying: (RunEntry) -> Bool = { _ in true }) {
        // Apart: most changes halt and start nobody.
        if !changes.halted.isEmpty || !changes.starts.isEmpty { haltAndStart(changes, isTidying: isTidying) }
        changes.completed.forEach { completions.take($0)?.end() }
    }

    @inline(never)
    private func haltAndStart(_ changes: RunTable.Changes, isTidying: (RunEntry) -> Bool) {
        for halt in changes.halted {
            guard let entry = entries[halt.run] else { continue }
            if halt.ending == .cancelled, isTidying(entry), let action = tidyingAction(of: entry) {
                tidying.append((action, entry.run))
            }
            if !halt.hadStarted {
                forget(halt.run)
                conclude(entry, Completion.Outcome(halt.ending))
            }
            entry.run.cancel()
        }
        for run in changes.starts {
            guard let entry = entries[run] else { continue }
            tell { observer in observer.runStarted(entry.record) }
            entry.turn?.fire()
        }
    }

    private func tidyingAction(of entry: RunEntry) -> (any Relux.Action)? {
        entry.record.trigger.flatMap { entry.owner?.actionOnCancel($0) }
    }

    /// Reduces what cancelled runs had to tidy up, and tells those who wait for the end of all runs.
    func settle() {
        if !tidying.isEmpty { tidyUp() }
        wakeIdlers()
    }

    private func tidyUp() {
        while let (action, run) = tidying.popFirst() {
            guard phase == .open else { continue }
            var intake = Intake(site: run.record.callSite)
            intake.cause = run
            accept(action, intake)
        }
    }

    /// Notes how a run ended, for its caller, the stream of failures and the observers.
    private func conclude(_ entry: RunEntry, _ outcome: Completion.Outcome, lateError: (any Error)? = nil) {
        let kind = entry.run.record.kind
        let isFlow = kind == .flow || kind == .timeout
        let completion = entry.completion
        entry.run.inbox?.discard(in: self)
        if case .finished = outcome, !isFlow, observers.isEmpty { return }
        var unreceived: (any Error)?
        switch outcome {
        case .failed(let error):
            let isReceived =
                switch completion.answer {
                case .flow: isFlow
                case .sagas: completion.failures.isEmpty
                case .nobody: false
                }
            if !isReceived { unreceived = error }
            if isFlow { completion.note(flow: outcome) }
            completion.note(failure: error)
        case .finished where !isFlow:
            break
        case .finished, .cancelled, .superseded, .dropped:
            if isFlow { completion.note(flow: outcome) }
            completion.note(outcome)
        }
        if let unreceived, !failureStreams.isEmpty {
            let failure = Relux.FailureRecord(error: unreceived, run: entry.record, time: clock.now())
            for stream in failureStreams { stream.append(failure) }
        }
        tell { observer in
            observer.runEnded(entry.record, Relux.RunOutcome(outcome), lateError: lateError)
        }
    }
}
