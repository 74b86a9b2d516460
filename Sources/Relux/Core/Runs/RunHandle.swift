import Synchronization

/// One run, shared by its task, its contexts, and the table of runs.
///
/// Once it has ended, it holds no saga: a saga that is an actor and stores its context would keep itself alive.
final class RunHandle: Sendable {
    let core: Core
    let record: Relux.RunRecord
    /// The registration of the saga, flow, or watcher; 0 for the body of a timeout.
    let saga: SagaID
    let policy: Relux.Policy
    /// Tells the run's instance from later ones with the same id; 0 for the root.
    let scopeSerial: UInt64
    /// The streams of a watcher that reach back to its registration.
    let inbox: WatcherInbox?
    /// Nesting depth of an inline run: how many runs are nested on this thread, including this one and the one whose
    /// task performs it; 0 if the run starts on the pool.
    let depth: Int
    /// Whether the run's task prefers an executor. Its child tasks then do as well, but not the tasks it leaves behind.
    let marksChildTasks: Bool
    let kind: RunKind
    /// Whether the run keeps the store from being idle.
    let isBusy: Bool
    /// Whether the policy relates the run to others.
    let isRelated: Bool
    private let draws = Atomic<UInt64>(0)
    private let task = RunTask()

    // MARK: In the table of runs

    /// What the table and the registry know about a run.
    struct Entry {
        var phase = RunPhase.absent
        var start = RunStart.immediately
        /// The saga or flow; nil for watchers and for the bodies of timeouts, which have no `actionOnCancel`.
        var runner: AnySagaRunner?
        /// Nil if the trigger was withdrawn and only those who joined the run still wait for it.
        var group: Completion?
        /// The run that performs it.
        var parent: RunID?
        /// The runs that it performs.
        var children = TinySet()
        /// 0 if the policy relates the run to no other.
        var lane: LaneID = 0
        /// The groups that the run's task awaits, once for each wait.
        var waitsFor: [Completion] = []
        /// Further groups that the run belongs to.
        var drains: [Completion] = []
    }

    // nonisolated(unsafe): only the table and the registry access this, inside the store. The run's task reads nothing
    // but the start, which is set before the task is created and doesn't change any more.
    // exclusivity(unchecked): no access spans another one. The checks would cost a tenth of a perform.
    @exclusivity(unchecked) nonisolated(unsafe) var entry: Entry

    /// - Parameters:
    ///   - runner: The saga or flow; nil if it has no `actionOnCancel`.
    ///   - policy: What the saga said about the trigger.
    ///   - group: An open group.
    ///   - parent: The run that performs it.
    ///   - depth: The nesting depth if the performing task can start the run inline; otherwise 0.
    ///   - marksChildTasks: Whether the run's task prefers an executor in any case. It also does if the policy may let
    ///     it wait for another run.
    init(
        _ record: consuming Relux.RunRecord, saga: SagaID = 0, runner: AnySagaRunner? = nil,
        policy: consuming Relux.Policy = .concurrent, in group: Completion? = nil, parent: RunID? = nil,
        of scopeSerial: UInt64 = 0, inbox: WatcherInbox? = nil, depth: Int = 0, marksChildTasks: Bool = false,
        _ core: Core
    ) {
        self.core = core
        kind = RunKind(record.kind)
        isBusy = kind != .watcher && !policy.isBackground
        isRelated = policy.kind.isRelated
        // A watcher has a lane of its own, in which it performs nothing.
        self.marksChildTasks = marksChildTasks || (runner != nil && policy.kind.letsRunsWait)
        self.depth = self.marksChildTasks ? 0 : depth
        self.saga = saga
        self.scopeSerial = scopeSerial
        self.inbox = inbox
        entry = Entry(runner: runner, group: group, parent: parent)
        // Stored last: what is still used afterwards is copied.
        self.record = record
        self.policy = policy
        CurrentRun.noteExistence()
    }

    var id: RunID { record.id }

    /// Whether the run may still write.
    var isLive: Bool { entry.phase == .active }

    /// The scope that the run belongs to; nil for the root.
    var scope: ScopeAddress? { record.scope?.address }

    // MARK: The task

    /// Registers the current task as the run's. The first thing that the task does.
    func attach() { task.attach() }

    /// Cancels the run's task, or marks it so that it is cancelled as soon as it starts.
    ///
    /// Called outside the store, because the task's cancellation handlers are executed here.
    func cancel() { task.cancel() }

    /// Unregisters the task before it ends, and waits if it is being cancelled at this moment.
    @inline(__always)
    nonisolated(nonsending) func detach() async {
        if !task.detach() { await task.detachAfterCancellation() }
    }

    /// Executes the body of a run: waits for its start, works, and reports its end.
    // inline(never): this would otherwise be copied to each of its calls, of which none is frequent.
    @inline(never)
    nonisolated(nonsending) func execute(_ work: nonisolated(nonsending) () async throws -> any Sendable) async {
        attach()
        guard await starts() else { return await detach() }
        let result: RunResult
        do {
            result = .returned(
                RunResult.Output(try await CurrentRun.$identity.withValue(identity) { try await work() })
            )
        } catch {
            result = RunResult(thrown: error)
        }
        await end(result)
    }

    /// Waits for the start of a run.
    ///
    /// - Returns: Whether it may start.
    @inline(__always)
    nonisolated(nonsending) func starts() async -> Bool {
        if case .immediately = entry.start { true } else { await waitForStart() }
    }

    // inline(never): what this needs briefly would otherwise take memory for as long as the run lasts.
    @inline(never)
    private nonisolated(nonsending) func waitForStart() async -> Bool {
        switch entry.start {
        case .immediately:
            return true
        case .inTurn(let turn):
            return await turn.waitUnlessCancelled()
        case .at(let deadline):
            // A cancellation cuts the sleep short. The run is then no longer pending.
            try? await core.clock.sleep(until: deadline)
            return await core.enter(as: .outside) { core, _ in core.runs.deadlineReached(self) }
        }
    }

    /// Reports the run's end to the store.
    @inline(__always)
    nonisolated(nonsending) func end(_ result: RunResult) async {
        await core.end(self, result)
        await detach()
    }

    /// What the run's task knows about it.
    var identity: RunIdentity {
        RunIdentity(core: core.number, run: record.id, depth: depth, marksChildTasks: marksChildTasks)
    }

    // MARK: Random numbers

    /// The next random number of the run, at least 0 and below 1.
    func draw(seed: UInt64) -> Double {
        let index = record.id &* 0x1_0000 &+ draws.add(1, ordering: .relaxed).newValue
        return Double(SplitMix64.number(at: seed &+ index &* SplitMix64.increment) >> 11) * 0x1p-53
    }
}
