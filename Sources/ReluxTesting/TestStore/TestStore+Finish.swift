import Relux
import Testing

extension TestStore {
    /// Expects that nothing is left over.
    ///
    /// Every action must have been received, every run must have ended, and every change must have been stated.
    /// Watchers may still be active. Without exhaustivity, only the runs must have ended.
    ///
    /// - Parameter limit: How long to wait, in real time, for work that has left the scheduler. With nil, it doesn't
    ///   wait.
    public func finish(within limit: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation) async {
        await rest(limit) { await self.busyRuns().isEmpty }
        await expectNothingPending(before: "the end", sourceLocation)
        let busy = await busyRuns()
        guard !busy.isEmpty else { return }
        fail("Not every run has ended:\n\(await unfinished())", sourceLocation)
    }

    /// Expects that the test has stated everything so far, and then brings its known states up to date.
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

    /// Returns one line for each run that has not ended and for each sleeper.
    func unfinished() async -> String {
        let busy = await busyRuns().map { "Busy: \(RunText.line($0))" }
        let lines = busy + clock.sleepers.map { "Sleeping: \($0)" }
        return (lines.isEmpty ? ["No run is busy, and nobody sleeps."] : lines)
            .map { "    \($0)" }.joined(separator: "\n")
    }
}
