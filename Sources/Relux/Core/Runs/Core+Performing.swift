/// Awaiting runs: performing, waiting for a group, and timeouts.
extension Core {
    /// Takes an effect that the caller awaits.
    ///
    /// - Returns: The end of what it triggers.
    func perform<E: Relux.Effect>(_ effect: E, as origin: Origin, at site: Relux.CallSite) -> Completion {
        var receipt = Receipt(.refused)
        // Read on the caller's task, which executes this.
        if Task.isCancelled {
            _ = mayWrite(origin, effect, at: site)
        } else {
            receipt = step(as: origin, at: site) { core, step in
                step.output = E.Output.self
                core.take(effect, in: &step)
            }
        }
        return receipt.completion ?? refused(receipt.refusal)
    }

    private func refused(_ error: Relux.EffectError) -> Completion {
        let completion = Completion(self)
        completion.fulfil(GroupSummary(refusal: error))
        return completion
    }

    // MARK: Waiting

    /// A run's task awaits a group.
    ///
    /// - Returns: Why it must not, because the wait could never end. This is reported.
    func wait(_ run: RunID, for completion: Completion, at site: Relux.CallSite? = nil) -> Relux.EffectError? {
        guard run != 0, let blocker = runs.wait(run, for: completion.group), let waiting = runs.record(of: run)
        else { return nil }
        // A run that keeps the store from being idle waits for itself.
        let on = runs.record(of: blocker) ?? waiting
        reporter.refused(.waitCycle(waiting: waiting, on: on), action: on.trigger, at: site)
        return .serialCycle(waiting: waiting, on: on)
    }

    /// The end of runs that were cancelled, as far as the caller may wait for it.
    ///
    /// A caller that is a run itself, or is made by the task of one, waits neither for that run nor for the runs that
    /// await or perform it.
    func drain(_ halted: [RunID], for origin: Origin) -> Completion? {
        let callers = Set([origin.run, origin.waiter]).subtracting([0])
        let excluded = callers.flatMap { runs.runsAwaiting($0, orPerformingIt: true) }
        let targets = Set(halted.map { runs.joined[$0] ?? $0 }).subtracting(excluded)
        let members = targets.filter { runs.runs[$0] != nil }
        guard !members.isEmpty else { return nil }
        let completion = runs.gather(members.sorted(), self)
        return callers.allSatisfy { runs.wait($0, for: completion.group) == nil } ? completion : nil
    }

    // MARK: Timeouts

    /// Starts the body of a timeout as a child run of the caller.
    ///
    /// - Returns: Its end.
    func startTimed(
        as origin: Origin, _ work: @escaping @Sendable (RunHandle) async throws -> any Sendable
    ) -> Completion {
        guard phase == .open, !Task.isCancelled, let parent = runs.runs[origin.run], parent.phase == .active else {
            return refused(.cancelled)
        }
        let completion = runs.openGroup(answer: .flow, self)
        let caller = parent.handle
        let record = Relux.RunRecord(
            id: runs.nextRun(), kind: .timeout, saga: caller.record.saga, trigger: nil,
            triggerSequence: caller.record.triggerSequence, callSite: caller.record.callSite, scope: caller.record.scope
        )
        // The body is the caller's own work: it keeps the store busy if the caller does.
        let run = RunHandle(
            record, name: caller.name, policy: caller.isBusy ? .concurrent : .concurrent.background,
            of: caller.scopeSerial, marksChildTasks: caller.marksChildTasks, self
        )
        startAlone(run, below: caller.id, in: completion) { try await work(run) }
        awaitOrAbandon(completion, by: origin.waiter, at: caller.record.callSite)
        return completion
    }

    /// The deadline of a wait has passed: its caller stops waiting, and the run of a timeout can't write any more.
    func expire(_ completion: Completion) {
        carryOut(runs.abandon(completion.group) { $0.isExpired = true })
    }

    /// A run's task awaits a group of its own: what it has performed, or idleness. If the wait could never end, it is
    /// refused, and the group abandoned.
    func awaitOrAbandon(_ completion: Completion, by run: RunID, at site: Relux.CallSite? = nil) {
        guard let refusal = wait(run, for: completion, at: site) else { return }
        carryOut(runs.abandon(completion.group) { $0.refusal = refusal })
    }
}
