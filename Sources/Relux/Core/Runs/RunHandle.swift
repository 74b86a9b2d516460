import Synchronization

/// One run: its record, and whose it is. Shared by its task and by all who speak for it.
///
/// It holds no saga: one that is an actor and keeps its context would keep itself.
final class RunHandle: Sendable {
    let engine: Engine
    let record: Relux.RunRecord
    /// For a watcher: the streams that reach back to its registration.
    let inbox: WatcherInbox?
    /// How many runs have begun in one thread, each in the middle of the one before, this one included.
    let depth: Int
    private let draws = Atomic<UInt64>(0)
    /// The address of the run's task since that began, or one of the two below.
    private let task = Atomic<UInt>(notBegun)

    private static let notBegun: UInt = 0
    private static let cancelled: UInt = 1

    init(_ record: Relux.RunRecord, inbox: WatcherInbox? = nil, depth: Int = 0, _ engine: Engine) {
        self.engine = engine
        self.record = record
        self.inbox = inbox
        self.depth = depth
    }

    /// Notes the present task as the run's: the first thing that it does.
    func attach() {
        // unsafeBitCast: to an address, which `cancel` makes a task again as long as that is there.
        let address = withUnsafeCurrentTask { unsafeBitCast($0, to: UInt.self) }
        let before = task.exchange(address, ordering: .acquiringAndReleasing)
        if before == Self.cancelled { withUnsafeCurrentTask { $0?.cancel() } }
    }

    /// Cancels the run's task, now or as soon as it begins.
    ///
    /// Called inside the store, before the end of the run was noted there. Until then its task is there, because it
    /// comes in itself to have that noted.
    func cancel() {
        let before = task.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
        guard before != Self.notBegun, before != Self.cancelled else { return }
        unsafeBitCast(before, to: UnsafeCurrentTask.self).cancel()
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
        attach()
        if case .atOnce = start {} else { guard await begins(start) else { return } }
        let outcome: Completion.Outcome
        do {
            outcome = .finished(try await CurrentRun.$handle.withValue(self) { try await work() })
        } catch {
            outcome = Completion.Outcome(thrown: error)
        }
        await end(outcome)
    }

    /// Has it noted that the run has ended.
    @inline(__always)
    nonisolated(nonsending) func end(_ outcome: Completion.Outcome) async {
        if !engine.endShortly(record.id, outcome) { await endInTurn(outcome) }
    }

    /// Waits for the start of a run that doesn't begin at once, and says whether there is one.
    // inline(never), here and below: what this needs for a moment would take memory for as long as the run lasts.
    @inline(never)
    private nonisolated(nonsending) func begins(_ start: Core.Start) async -> Bool {
        switch start {
        case .atOnce:
            return true
        case .inTurn(let turn):
            return await turn.waitUnlessCancelled()
        case .at(let deadline):
            // Cut short by a cancellation, in which case the run isn't pending any more.
            try? await engine.clock.sleep(deadline)
            return await engine.enter { [id = record.id] core in core.deadlineReached(id) }
        }
    }

    @inline(never)
    private nonisolated(nonsending) func endInTurn(_ outcome: Completion.Outcome) async {
        await engine.enter { [id = record.id] core in core.ended(id, outcome) }
    }
}
