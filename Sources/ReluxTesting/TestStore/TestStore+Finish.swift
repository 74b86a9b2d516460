import Relux
import Testing

extension TestStore {
    /// Expects that nothing is left to be said: no action that was not received, no run that has not ended, no change
    /// that was not stated. Watchers may go on.
    ///
    /// Without exhaustivity only the runs have to have ended.
    ///
    /// - Parameters:
    ///   - limit: How long to wait, in real time, for work that has left the scheduler; nil for not at all.
    ///   - sourceLocation: Where a failure is recorded.
    public func finish(within limit: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation) async {
        await rest(limit) { await self.busyRuns().isEmpty }
        await expectNothingPending(before: "the end", sourceLocation)
        let busy = await busyRuns()
        guard !busy.isEmpty else { return }
        fail("Not every run has ended:\n\(await unfinished())", sourceLocation)
    }

    /// Expects that the test has been told everything so far, and tells it.
    func expectNothingPending(before what: String, _ location: SourceLocation) async {
        await executor.rest()
        let steps = ledger.takeAll()
        let present = await present()
        if exhaustivity == .on {
            if let last = steps.last {
                ledger.know(last.after)
                let lines = steps.map { "    \($0.description)" }.joined(separator: "\n")
                fail("\(steps.count.counting("action")) had not been received before \(what):\n\(lines)", location)
            }
            check(present, [], after: "Before \(what), without an action", location)
        }
        ledger.know(present)
    }

    /// Lets everything come to rest, and waits in real time for what comes from elsewhere.
    ///
    /// - Parameters:
    ///   - limit: How long to wait; nil for not at all.
    ///   - isDone: Whether there is nothing to wait for.
    nonisolated(nonsending) func rest(
        _ limit: Duration?, until isDone: nonisolated(nonsending) () async -> Bool
    ) async {
        await executor.rest()
        guard let limit else { return }
        let deadline = ContinuousClock.now + limit
        while await !isDone(), ContinuousClock.now < deadline, !Task.isCancelled {
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

    /// A line for each run that has not ended, and for each who sleeps.
    func unfinished() async -> String {
        let busy = await busyRuns().map { "Busy: \(RunText.line($0))" }
        let lines = busy + clock.sleepers.map { "Sleeping: \($0)" }
        return (lines.isEmpty ? ["No run is busy, and nobody sleeps."] : lines)
            .map { "    \($0)" }.joined(separator: "\n")
    }
}
