import Synchronization

/// One run: its record, and whose it is. Shared by its task and by all who speak for it.
///
/// It holds no saga: one that is an actor and keeps its context would keep itself.
final class RunHandle: Sendable {
    let engine: Engine
    let record: Relux.RunRecord
    /// For a watcher: the streams that reach back to its registration.
    let inbox: WatcherInbox?
    private let draws = Atomic<UInt64>(0)

    init(_ record: Relux.RunRecord, inbox: WatcherInbox? = nil, _ engine: Engine) {
        self.engine = engine
        self.record = record
        self.inbox = inbox
    }

    /// How many random numbers the run has drawn, this one included.
    func nextDraw() -> UInt64 {
        draws.add(1, ordering: .relaxed).newValue
    }

    var context: Relux.SagaContext { Relux.SagaContext(handle: self) }

    /// What the task of a run does: waits for its start, works, and reports its end.
    nonisolated(nonsending) func execute(
        _ start: Core.Start, _ work: nonisolated(nonsending) () async throws -> any Sendable
    ) async {
        switch start {
        case .atOnce:
            break
        case .inTurn(let turn):
            guard await turn.waitUnlessCancelled() else { return }
        case .at(let deadline):
            // Cut short by a cancellation, in which case the run isn't pending any more.
            try? await engine.clock.sleep(deadline)
            guard await engine.enter({ [record] core in core.deadlineReached(record.id) }) else { return }
        }
        let outcome: Completion.Outcome
        do {
            outcome = .finished(try await CurrentRun.$handle.withValue(self) { try await work() })
        } catch {
            outcome = Completion.Outcome(thrown: error)
        }
        await engine.enter { [record] core in core.ended(record.id, outcome) }
    }
}
