/// Starting runs, and awaiting what an action triggered.
extension Core {
    /// The completion of what an action triggers, opened with the first run.
    func openGroup(answer: GroupSummary.Answer, _ result: inout DispatchResult) -> Completion {
        if let open = result.completion { return open }
        let completion = Completion(self, answer: answer)
        result.completion = completion
        runs.open(completion)
        return completion
    }

    /// The scope as it appears in records; nil for the root.
    func scopeName(_ scope: ScopeNode) -> Relux.Scope? {
        // Without `map`, whose closure would check the executor.
        if let address = scope.address { Relux.Scope(self, address) } else { nil }
    }

    /// Starts a saga or a flow as its policy says.
    func admit<A: Relux.Action>(
        _ trigger: A, to anyRunner: AnySagaRunner, in scope: ScopeNode, _ completion: Completion,
        _ submission: borrowing Submission
    ) {
        let runner = anyRunner.runner(for: A.self)
        let performer = submission.output == nil ? nil : runs.handle(of: submission.origin.run)
        let parent = performer?.isLive == true ? performer : nil
        // Created in place: a record or a policy with a name of its own would be copied for the run.
        let run = RunHandle(
            Relux.RunRecord(
                id: runs.nextRun(), kind: anyRunner.isFlow ? .flow : .saga, saga: anyRunner.saga, trigger: trigger,
                callSite: submission.site, scope: scopeName(scope)
            ),
            saga: anyRunner.id, runner: anyRunner, policy: runner.policy(for: trigger), in: completion,
            parent: parent?.id, of: scope.serial, depth: inlineStart == nil ? submission.depth : 0,
            marksChildTasks: carrier != nil || parent?.marksChildTasks == true, self
        )
        guard runs.admit(run) else { return }
        let body = runner.body(run, for: trigger)
        if run.depth > 0, case .immediately = run.entry.start {
            inlineStart = body
        } else {
            launch(run, body)
        }
    }

    /// Creates the task of a run.
    ///
    /// It is created at once, even if the run has to wait, so that it inherits the priority and the task-local values
    /// of the task that dispatched or performed. A run that was triggered by a `send` inherits neither.
    func launch(_ run: RunHandle, _ body: TaskBody<Void>) {
        // Without a preference where none is needed: with one, each call of an actor would switch threads.
        let preference: (any TaskExecutor)? = carrier ?? (run.marksChildTasks ? globalConcurrentExecutor : nil)
        body.start(isDetached: isDeliveringMail, on: preference)
    }

    /// Closes the group of what an action triggered, after all of it has been admitted.
    func seal(_ completion: Completion, _ submission: borrowing Submission) {
        // This includes a run that was superseded by what it performs: its task still awaits that.
        if submission.waiter != 0 { waitForPerformed(completion, by: submission.waiter, at: submission.site) }
        runs.seal(completion)
    }

    // MARK: Perform

    /// What became of an effect that the caller awaits.
    struct Performed: Sendable {
        let completion: Completion
        /// The body of the run that the caller must start on its own thread, outside the store.
        let inline: TaskBody<Void>?
        /// The number of the perform.
        let number: UInt64
    }

    /// Takes an effect that the caller awaits.
    ///
    /// - Parameters:
    ///   - waiter: The run whose task awaits the effect; 0 if there is none.
    ///   - depth: The nesting depth of a run that the caller starts inline; 0 if runs start on the pool.
    func perform<E: Relux.Effect>(
        _ effect: E, awaitedBy waiter: RunID, depth: Int, as origin: Origin, at site: Relux.CallSite
    ) -> Performed {
        performCount &+= 1
        // Read on the caller's task, which executes this.
        guard !Task.isCancelled else {
            if phase == .open {
                _ = mayWrite(origin, effect, at: site)
            } else {
                reporter.refused(.storeShutDown, action: effect, at: site)
            }
            return Performed(completion: refused(.cancelled), inline: nil, number: performCount)
        }
        var result = DispatchResult()
        if let scope = scope(of: origin, for: effect, isPerformed: true, at: site, &result) {
            result = dispatch(
                effect,
                Submission(origin, in: scope, at: site, output: E.Output.self, waiter: waiter, depth: depth)
            )
        }
        return Performed(
            completion: result.completion ?? refused(result.refusal), inline: inlineStart.take(),
            number: performCount
        )
    }

    private func refused(_ error: Relux.EffectError) -> Completion {
        let completion = Completion(self)
        completion.fulfil(GroupSummary(refusal: error))
        return completion
    }

    // MARK: Waits

    /// A run has performed something and awaits it. A wait that could never end is refused, and what was performed is
    /// cancelled.
    func waitForPerformed(_ completion: Completion, by run: RunID, at site: Relux.CallSite) {
        guard let cycle = runs.wait(run, for: completion) else { return }
        let refusal = refuse(cycle, at: site)
        runs.abandon(completion) { $0.note(refusal: refusal) }
    }

    /// A run's task awaits what an action triggered.
    ///
    /// - Returns: Why it must not, because the wait could never end.
    func wait(_ run: RunID, for completion: Completion) -> Relux.EffectError? {
        runs.wait(run, for: completion).map { refuse($0, at: nil) }
    }

    private func refuse(
        _ cycle: (waiting: Relux.RunRecord, on: Relux.RunRecord), at site: Relux.CallSite?
    ) -> Relux.EffectError {
        reporter.refused(.waitCycle(waiting: cycle.waiting, on: cycle.on), action: cycle.on.trigger, at: site)
        return .serialCycle(waiting: cycle.waiting, on: cycle.on)
    }

    // MARK: Timeouts

    /// Starts the body of a timeout as a child run of the caller.
    func startTimed(
        _ completion: Completion, awaitedBy waiter: RunID, as origin: Origin,
        _ body: @escaping @Sendable (RunHandle) async throws -> any Sendable
    ) {
        guard phase == .open, !Task.isCancelled, !completion.hasEnded, runs.isLive(origin.run),
            let parent = runs.handle(of: origin.run)
        else {
            completion.fulfil(GroupSummary(refusal: .cancelled))
            return
        }
        runs.open(completion)
        let record = Relux.RunRecord(
            id: runs.nextRun(), kind: .timeout, saga: parent.record.saga, trigger: nil,
            callSite: parent.record.callSite, scope: parent.record.scope
        )
        // The body is the caller's own work: it keeps the store busy if the caller does.
        let run = RunHandle(
            record, policy: parent.isBusy ? .concurrent : .concurrent.background, in: completion, parent: parent.id,
            of: parent.scopeSerial, marksChildTasks: parent.marksChildTasks, self
        )
        if runs.admit(run) { launch(run, TaskBody { await run.execute { try await body(run) } }) }
        if waiter != 0 { waitForPerformed(completion, by: waiter, at: parent.record.callSite) }
        runs.seal(completion)
    }

    /// The deadline of a timeout has passed: its run can't write any more, and its caller stops waiting.
    func expire(_ completion: Completion) {
        guard !completion.hasEnded else { return }
        runs.abandon(completion) { $0.noteExpiry() }
        // The deadline may even come before the body was admitted. Only the first summary counts.
        var summary = GroupSummary()
        summary.noteExpiry()
        completion.fulfil(summary)
    }

    // MARK: Cancellation

    /// Cancels the runs that share a named lane, whichever sagas they belong to.
    ///
    /// This concerns the caller's scope and the instances inside it.
    func cancel(_ lane: Relux.Lane, as origin: Origin, at site: Relux.CallSite) {
        guard phase == .open, mayWrite(origin, at: site), let scope = scope(of: origin, at: site) else { return }
        runs.cancel(runs.runs(in: lane, among: runs(in: scope)))
    }

    /// Cancels the runs of a saga, all of them or those with one policy id.
    ///
    /// This concerns the caller's scope and the instances inside it.
    func cancel(_ saga: Any.Type, id: AnySendableHashable?, as origin: Origin, at site: Relux.CallSite) {
        // Nothing of a store that was shut down is registered any more, and nothing needs to be cancelled.
        guard phase == .open else { return }
        guard mayWrite(origin, at: site), let scope = scope(of: origin, at: site) else { return }
        let live = runs.runs(of: saga, among: runs(in: scope))
        let ids = live.compactMap(\.id)
        if live.isEmpty, !scope.lists(saga: saga) {
            reporter.refused(.cancelledNothing(saga), at: site)
        } else if let id, !ids.isEmpty, !ids.contains(where: { $0.type == id.type }) {
            reporter.refused(.cancelledNothing(saga), at: site)
        } else {
            runs.cancel(live.filter { id == nil || $0.id == id }.map(\.run))
        }
    }
}

extension DispatchResult {
    /// Why an effect that triggered nothing has no output.
    fileprivate var refusal: Relux.EffectError {
        switch disposition {
        case .reduced, .unhandled: .unhandled
        case .dropped: .dropped
        case .noInstance(let scope): .noInstance(scope)
        case .refused: .cancelled
        case .storeShutDown: .storeShutDown
        }
    }
}
