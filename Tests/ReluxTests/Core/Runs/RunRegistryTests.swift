import Testing

@testable import Relux

@Suite("RunRegistry", .timeLimit(.minutes(10)))
struct RunRegistryTests {
    private let registry: RunRegistry

    init() {
        let clock = StoreClock(ContinuousClock())
        registry = RunRegistry(Reporter([], clock), clock)
    }

    /// Admits a new run, which is the only member of a group of its own.
    private func admit(
        _ policy: Relux.Policy = .concurrent, _ runner: AnySagaRunner? = nil
    ) -> (run: RunHandle, group: Completion) {
        let group = Completion(.closed)
        registry.open(group)
        let record = Relux.RunRecord(
            id: registry.nextRun(), kind: .saga, saga: Never.self, trigger: nil, callSite: Relux.CallSite()
        )
        let run = RunHandle(record, saga: 1, runner: runner, policy: policy, in: group, .closed)
        _ = registry.admit(run)
        registry.seal(group)
        return (run, group)
    }

    // MARK: Waits

    // Also those of the first run of a store.
    @Test("a run waits for others, but not for itself, and its wait is known")
    func drains() {
        let (first, _) = admit()
        let (second, _) = admit()

        let completion = registry.drain([first.id, second.id], for: Origin(first)) { Completion(.closed) }

        #expect(completion?.entry.members.sorted == [second.id])
        #expect(registry.runsAwaiting(second.id) == [first.id, second.id])
    }

    @Test("a run does not wait for one that awaits it")
    func drainsAwaiting() {
        let (first, group) = admit()
        let (second, _) = admit()
        _ = registry.wait(second.id, for: group)

        #expect(registry.drain([second.id], for: Origin(first)) { Completion(.closed) } == nil)
    }

    @Test("a wait that is over is no longer listed with its run")
    func removesWait() {
        let (run, _) = admit()
        let signal = Signal()

        registry.addWait(signal, of: run.id)
        let count = registry.waits.count
        registry.removeWait(signal, of: run.id)

        #expect(count == 1)
        #expect(registry.waits.isEmpty)
    }

    // Otherwise, others would be refused to wait for the run.
    @Test("a run whose task no longer waits for idleness is not listed any more", arguments: [true, false])
    func idlers(isWoken: Bool) {
        let (background, _) = admit(.concurrent.background)
        let (busy, _) = admit()
        let rested = Signal()

        let mayWait = registry.addIdler(rested, of: background.id)
        let before = registry.table.idleWaits.count
        if isWoken { registry.wakeIdlers() } else { _ = registry.removeIdler(rested) }

        #expect(background.id == 1 && busy.id == 2)
        #expect(mayWait)
        #expect(before == 1)
        #expect(registry.table.idleWaits.count == 0)
        #expect(rested.hasFired == isWoken)
    }

    // MARK: Ends

    @Test("a run that has ended, or was cancelled before it started, holds no saga")
    func releasesSagas() {
        let runner = AnySagaRunner.saga(WorkSaga { _, _ in }, id: 1)
        let (active, _) = admit(.serial, runner)
        let (queued, _) = admit(.serial, runner)
        let before = [active, queued].map { $0.entry.runner != nil }

        registry.cancel([queued.id])
        registry.end(active, .finished)

        #expect(before == [true, true])
        #expect([active, queued].map { $0.entry.runner != nil } == [false, false])
    }

    // What it kept, and what the store would still deliver to it, would otherwise stay as long as its contexts.
    @Test("a watcher that has ended keeps no actions for later streams")
    func discardsInbox() async throws {
        let store = try await Relux.Store { Log.Module() }
        let inbox = WatcherInbox()

        let keeps = await store.inside { core in
            inbox.listen(to: Log.Action.self, as: .outside, in: core)
            let record = Relux.RunRecord(
                id: core.runs.nextRun(), kind: .watcher, saga: Never.self, trigger: nil, callSite: Relux.CallSite()
            )
            let run = RunHandle(record, inbox: inbox, core)
            _ = core.runs.admit(run)
            let before = inbox.keeps(Log.Action.self)
            core.runs.end(run, .finished)
            return [before, inbox.keeps(Log.Action.self)]
        }

        #expect(keeps == [true, false])
    }
}
