import Relux
import Testing

extension TestStore {
    /// Expects that nothing is left over.
    ///
    /// Every action must have been received, every run must have ended, and every change must have been stated.
    /// Watchers and runs that ``skipRuns()`` has skipped may still be active. Without exhaustivity, only the runs must
    /// have ended.
    ///
    /// With `persistence: .on`, it first saves all changes, including those that arrive while it waits for work
    /// elsewhere. It waits for these saves as long as they take, whatever the limit.
    ///
    /// With or without exhaustivity, it also fails on each of the following, unless the test has stated earlier that it
    /// expects it: an error that nobody received, including those of saves; an action or effect that nothing takes; a
    /// refused write or dismissal; an action to an instance that doesn't exist; a child of a state that was left out,
    /// named twice, or shared; a saved value that could not be loaded; a shadowed action; an action dispatched
    /// synchronously inside a store; a replacement without the output of a performed effect; a run that would wait for
    /// itself; and rules or updates of view states without an end. An expectation that was never met fails at its own
    /// line.
    ///
    /// - Parameter limit: How long to wait, in real time, for work that has left the scheduler. With nil, it doesn't
    ///   wait.
    public func finish(within limit: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation) async {
        ledger.finish()
        await rest(limit) { await self.unskippedRuns().allSatisfy { $0.run.kind == .save } }
        if persistence == .on {
            // A failure is noticed below, unless it is expected.
            try? await executor.value { [store] in try await store.saved() }
        }
        guard comesToRest(sourceLocation) else { return }
        await expectNothingPending(before: "the end", sourceLocation)
        if await !unskippedRuns().isEmpty {
            fail("Not every run has ended: \(await standstill(limit))\n\(await unfinished())", sourceLocation)
        }
        expectNothingOverlooked(sourceLocation)
    }

    /// States that errors of a type are expected from now on, although nobody receives them.
    ///
    /// It covers any number of such errors, and requires at least one run to fail with one before the end. Before the
    /// first step of the test, it also covers what the registration has led to.
    ///
    /// - Parameter type: The type of the errors. If a saga doesn't catch the error of an effect that it performs, the
    ///   original error counts.
    public nonisolated(nonsending) func expectFailure<E: Error>(
        _ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        ledger.expectFailure(type, sourceLocation)
    }

    /// States that refusals are expected from now on, all on which ``finish(within:sourceLocation:)`` would fail.
    ///
    /// It covers any number of refusals, and requires at least one before the end. Before the first step of the test,
    /// it also covers what the registration has led to, such as a state that could not be loaded. After this, a step
    /// passes even if its own action is refused, because a middleware drops it or the instance doesn't exist, provided
    /// that nothing changes.
    public nonisolated(nonsending) func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation) async {
        ledger.expectRefusal(sourceLocation)
    }

    /// Fails if the test has not called `finish()`, or if steps after it have left anything unstated.
    func checkEnd() {
        guard comesToRest(sourceLocation), exhaustivity == .on else { return }
        guard ledger.isFinished else {
            return fail(
                "The test store was released without `finish()`, so what was left over went unnoticed.", sourceLocation)
        }
        let leftOver = ledger.takeAll().map(\.description) + ledger.takeOverlooked()
        guard !leftOver.isEmpty else { return }
        let lines = leftOver.map { "    \($0)" }.joined(separator: "\n")
        fail("The test made steps after `finish()`, and these were left over:\n\(lines)", sourceLocation)
    }

    private func expectNothingOverlooked(_ location: SourceLocation) {
        let overlooked = ledger.takeOverlooked()
        if !overlooked.isEmpty {
            let lines = overlooked.map { "    \($0)" }.joined(separator: "\n")
            fail("Something went unnoticed:\n\(lines)", location)
        }
        for (call, location) in ledger.unmetExpectations {
            fail("`\(call)` was stated, but nothing of the kind has happened.", location)
        }
    }

    /// Expects that the test has stated everything so far, and then brings its known states up to date.
    func expectNothingPending(
        before what: @autoclosure @Sendable () -> String, _ location: SourceLocation
    ) async {
        await executor.rest()
        guard comesToRest(location) else { return }
        let steps = ledger.takeAll()
        let present = await present()
        if exhaustivity == .on {
            if let last = steps.last {
                ledger.know(last.after)
                let lines = steps.map { "    \($0.description)" }.joined(separator: "\n")
                fail("\(steps.count.counting("action")) had not been received before \(what()):\n\(lines)", location)
            }
        }
        checkNothingChanged(present, before: what(), location)
    }

    /// Expects that the states are those that the test knows, and then brings these up to date.
    func checkNothingChanged(
        _ present: StateSnapshot, before what: @autoclosure () -> String, _ location: SourceLocation
    ) {
        if exhaustivity == .on { check(present, [], after: "Before \(what()), without an action", location) }
        ledger.know(present)
    }

    /// Runs until nothing more can run, and waits in real time for work elsewhere.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. With nil, it doesn't wait.
    ///   - isDone: Whether there is nothing left to wait for.
    nonisolated(nonsending) func rest(
        _ limit: Duration?, until isDone: nonisolated(nonsending) () async -> Bool
    ) async {
        await executor.rest()
        guard let limit else { return }
        let deadline = ContinuousClock.now + limit
        while await !isDone(), ContinuousClock.now < deadline, !Task.isCancelled, !executor.isEndless {
            await withTaskGroup { group in
                group.addTask { [executor] in await executor.arrival() }
                group.addTask { try? await ContinuousClock().sleep(until: deadline) }
                await group.next()
                group.cancelAll()
            }
            await executor.rest()
        }
    }

    func busyRuns() async -> [Relux.NotIdle.BusyRun] {
        (try? await executor.value { [store] in await store.busyRuns() }) ?? []
    }

    /// The busy runs, without those that were skipped and what these wait for.
    private func unskippedRuns() async -> [Relux.NotIdle.BusyRun] {
        let busy = await busyRuns()
        var skipped = Set(busy.map(\.run).filter { ledger.isSkipped($0) })
        // A run that is waited for may itself wait. Queued ones wait for others of their lane without performing them.
        var isComplete = false
        while !isComplete {
            let waitedFor = busy.filter { $0.phase == .active && skipped.contains($0.run) }.flatMap(\.waitsFor)
            isComplete = skipped.isSuperset(of: waitedFor)
            skipped.formUnion(waitedFor)
        }
        return busy.filter { !skipped.contains($0.run) }
    }

    /// Returns whether the work of the store ends. If it goes on without end, the test fails, once.
    func comesToRest(_ location: SourceLocation) -> Bool {
        guard executor.takeEndlessness() else { return !executor.isEndless }
        let last = recorder.records.suffix(5).map { "\n    \(RecordingObserver.Event.actionReduced($0))" }.joined()
        fail(
            """
            The store doesn't come to rest: something in it triggers itself again and again. The steps after this one \
            do nothing. The last actions:\(last.isEmpty ? " none" : last)
            """,
            location)
        return false
    }

    /// Returns why nothing can run, and what the test can do about it.
    ///
    /// - Parameter limit: How long the test has waited for work that has left the scheduler.
    func standstill(_ limit: Duration?) async -> String {
        if let deadline = clock.nextDeadline {
            let pause = clock.now.duration(to: deadline).decimalText
            return "nothing can run before the next deadline, in \(pause). `advance(by:)` moves the time."
        }
        let isBusy = await !busyRuns().isEmpty
        let hint = " If a run waits for work that has left the scheduler, wait for it with `within:`."
        return "nothing can run, and no deadline is due.\(isBusy && limit == nil ? hint : "")"
    }

    /// Returns one line for each run that has not ended and for each sleeper.
    func unfinished() async -> String {
        let busy = await unskippedRuns().map { "Busy: \(RunText.line($0))" }
        let lines = busy + clock.sleepers.map { "Sleeping: \($0)" }
        return (lines.isEmpty ? ["No run is busy, and nobody sleeps."] : lines)
            .map { "    \($0)" }.joined(separator: "\n")
    }
}
