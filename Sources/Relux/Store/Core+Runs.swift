/// A run as the store executes it; where it stands is in the ``RunTable``.
struct RunEntry {
    let identity: RunIdentity
    let work: any Work
    let responder: RunTable.ResponderID
    let completion: Completion
    /// Opened when a queued run's turn has come.
    let turn: Signal?
    /// nil for the body of a timeout, which its caller's task made.
    var task: Task<Void, Never>?

    var record: Relux.RunRecord { identity.record }
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
    func admit<A: Relux.Action>(_ trigger: A, to responder: Responder<A>, _ completion: Completion, _ intake: Intake) {
        isStepping = true
        let policy = responder.policy(for: trigger)
        let work = responder.work(for: trigger)
        isStepping = false
        admit(
            work, of: responder.id, policy: policy, completion,
            RunTemplate(
                kind: responder.isFlow ? .flow : .saga, saga: responder.saga, trigger: trigger, callSite: intake.site
            ),
            parent: intake.output != nil && table.isLive(intake.speaker.run) ? intake.speaker.run : nil
        )
    }

    /// What a run's record says beside its number.
    struct RunTemplate {
        let kind: Relux.RunRecord.Kind
        let saga: Any.Type
        var trigger: (any Relux.Action)?
        let callSite: Relux.CallSite
    }

    /// Takes in a run, and starts, queues, delays or drops it.
    @discardableResult
    func admit(
        _ work: any Work, of responder: RunTable.ResponderID, policy: Relux.Policy, _ completion: Completion,
        _ template: RunTemplate, parent: RunTable.RunID?, inbox: WatcherInbox? = nil
    ) -> RunTable.RunID {
        lastRun += 1
        let run = lastRun
        let identity = RunIdentity(
            Relux.RunRecord(
                id: run, kind: template.kind, saga: template.saga, trigger: template.trigger,
                callSite: template.callSite
            ),
            inbox: inbox
        )
        // The clock is read only where a policy counts time.
        let (placement, changes) = table.admit(
            run, of: responder, policy: policy, group: completion.group, parent: parent,
            isWatcher: template.kind == .watcher, now: policy.isTimed ? clock.now() : .zero
        )
        carryOut(changes)
        let turn = placement == .queue ? Signal() : nil
        var entry = RunEntry(
            identity: identity, work: work, responder: responder, completion: completion, turn: turn
        )
        switch placement {
        case .drop:
            conclude(entry, .dropped)
            return run
        case .start:
            tell { observer, _ in observer.runStarted(identity.record) }
            entry.task = launch(identity, work, .atOnce)
        case .queue:
            entry.task = turn.map { launch(identity, work, .inTurn($0)) }
        case .delay(let deadline):
            entry.task = launch(identity, work, .at(deadline))
        }
        entries[run] = entry
        return run
    }

    /// Makes the task of a run.
    ///
    /// It is made at once, even where the run has to wait: so it inherits the priority and the task-local values of the
    /// task that dispatched or performed. What was sent inherits neither.
    private func launch(_ identity: RunIdentity, _ work: any Work, _ start: Start) -> Task<Void, Never> {
        let engine: Engine = engine
        if isCollecting {
            return Task.detached(executorPreference: engine.executor) {
                await engine.execute(identity, work, start)
            }
        }
        return Task(executorPreference: engine.executor) {
            await engine.execute(identity, work, start)
        }
    }

    /// A pending run's deadline has come. Says whether it may run.
    func deadlineReached(_ run: RunTable.RunID) -> Bool {
        let changes = table.deadlineReached(run, now: clock.now())
        carryOut(changes)
        settle()
        return changes.starts.contains(run)
    }

    /// The task of a run has ended.
    func ended(_ run: RunTable.RunID, _ outcome: Completion.Outcome) {
        guard let entry = entries.removeValue(forKey: run) else { return }
        switch (table.runs[run]?.phase, outcome) {
        case (.dying(let ending), .failed(let error)) where !(error is CancellationError):
            conclude(entry, Completion.Outcome(ending), lateError: error)
        case (.dying(let ending), _):
            conclude(entry, Completion.Outcome(ending))
        default:
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
    func carryOut(_ changes: RunTable.Changes, isTidying: (RunEntry) -> Bool = { _ in true }) {
        for halt in changes.halted {
            guard let entry = entries[halt.run] else { continue }
            if halt.ending == .cancelled, isTidying(entry), let action = tidyingAction(of: entry) {
                tidying.append((action, entry))
            }
            if !halt.hadStarted {
                entries[halt.run] = nil
                conclude(entry, Completion.Outcome(halt.ending))
            }
            entry.task?.cancel()
        }
        for run in changes.starts {
            guard let entry = entries[run] else { continue }
            tell { observer, _ in observer.runStarted(entry.record) }
            entry.turn?.fire()
        }
        for group in changes.completed { completions.removeValue(forKey: group)?.end() }
    }

    private func tidyingAction(of entry: RunEntry) -> (any Relux.Action)? {
        isStepping = true
        defer { isStepping = false }
        return entry.work.actionOnCancel()
    }

    /// Reduces what cancelled runs had to tidy up, and tells those who wait for the end of all runs.
    func settle() {
        while let (action, entry) = tidying.popFirst() {
            guard phase == .open else { continue }
            var intake = Intake(site: entry.record.callSite)
            intake.cause = entry.record
            accept(action, intake)
        }
        wakeIdlers()
    }

    /// Notes how a run ended, for its caller, the stream of failures and the observers.
    private func conclude(_ entry: RunEntry, _ outcome: Completion.Outcome, lateError: (any Error)? = nil) {
        let isFlow = entry.record.kind == .flow || entry.record.kind == .timeout
        let completion = entry.completion
        entry.identity.inbox?.discard(in: self)
        var unreceived: (any Error)?
        switch outcome {
        case .failed(let error):
            let isReceived =
                switch completion.answer {
                case .flow: isFlow
                case .sagas: completion.summary.failures.isEmpty
                case .nobody: false
                }
            if !isReceived { unreceived = error }
            completion.note {
                if isFlow { $0.flow = outcome }
                $0.failures.append(error)
            }
        case .finished where !isFlow:
            break
        case .finished, .cancelled, .superseded, .dropped:
            completion.note {
                if isFlow { $0.flow = outcome }
                switch outcome {
                case .cancelled: $0.wasCancelled = true
                case .superseded: $0.wasSuperseded = true
                case .dropped: $0.wasDropped = true
                case .finished, .failed: break
                }
            }
        }
        if let unreceived, !failureStreams.isEmpty {
            let failure = Relux.FailureRecord(error: unreceived, run: entry.record, time: clock.now())
            for stream in failureStreams { stream.append(failure) }
        }
        tell { observer, _ in
            observer.runEnded(entry.record, Relux.RunOutcome(outcome), lateError: lateError)
        }
    }
}
