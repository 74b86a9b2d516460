import Synchronization

/// One run as its task and its contexts know it. What changes about a run is in the ``RunTable``.
///
/// It holds no saga: a saga that is an actor and stores its context would keep itself alive.
final class RunHandle: Sendable {
    let core: Core
    let record: Relux.RunRecord
    /// The registration of the saga, flow, or watcher; 0 for the body of a timeout.
    let saga: SagaID
    /// The name of the run's task.
    let name: String?
    let policy: Relux.Policy
    /// Tells the run's instance from later ones with the same id; 0 for the root.
    let scopeSerial: UInt64
    /// Whether the run's task prefers an executor. Its child tasks then do as well, but not the tasks it leaves behind.
    let marksChildTasks: Bool

    private let draws = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - policy: What the saga said about the trigger.
    ///   - marksChildTasks: Whether the run's task prefers an executor in any case. It also does if the policy may let
    ///     it wait for another run.
    init(
        _ record: Relux.RunRecord, saga: SagaID = 0, name: String? = nil, policy: Relux.Policy = .concurrent,
        of scopeSerial: UInt64 = 0, marksChildTasks: Bool = false, _ core: Core
    ) {
        (self.core, self.record, self.saga, self.name) = (core, record, saga, name)
        (self.policy, self.scopeSerial) = (policy, scopeSerial)
        // A watcher has a lane of its own, in which it performs nothing.
        self.marksChildTasks = marksChildTasks || (record.kind != .watcher && policy.kind.letsRunsWait)
        CurrentRun.noteExistence()
    }

    var id: RunID { record.id }

    /// Whether the run answers the effect that is awaited: a flow, or the body of a timeout.
    var isAnswering: Bool { record.kind == .flow || record.kind == .timeout }

    /// Whether the run keeps the store from being idle.
    var isBusy: Bool { record.kind != .watcher && !policy.isBackground }

    /// The scope that the run belongs to; nil for the root.
    var scope: ScopeAddress? { record.scope?.address }

    /// What the run's task knows about it.
    var identity: RunIdentity { RunIdentity(core: core.number, run: id, marksChildTasks: marksChildTasks) }

    // MARK: The task

    /// Creates the run's task. It inherits the task-local values and the priority of the current task.
    ///
    /// - Parameters:
    ///   - isDetached: Whether it inherits neither of them.
    ///   - body: ``execute(_:_:)`` with the work of the run.
    func launch(isDetached: Bool, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // Without a preference where none is needed: with one, each call of an actor would switch threads.
        let executor: (any TaskExecutor)? = core.carrier ?? (marksChildTasks ? globalConcurrentExecutor : nil)
        return isDetached
            ? Task.detached(name: name, executorPreference: executor, operation: body)
            : Task(name: name, executorPreference: executor, operation: body)
    }

    /// The body of the run's task: waits for its start, works, and reports its end.
    ///
    /// - Parameter work: Returns the output of an effect; nil if the run answers none.
    nonisolated(nonsending) func execute(
        _ start: RunStart, _ work: @Sendable () async throws -> (any Sendable)?
    ) async {
        guard await mayStart(start) else { return }
        var output: (any Sendable)?
        var outcome = Relux.RunOutcome.finished
        do {
            output = try await CurrentRun.$inherited.withValue(identity) { try await wrapped(work) }
        } catch {
            outcome = Relux.RunOutcome(thrown: error)
        }
        await core.enter(as: .outside) { [outcome, output] core, _ in core.end(self, outcome, output) }
    }

    /// Does the work inside the wrapper of the configuration, which can neither repeat nor replace it.
    private nonisolated(nonsending) func wrapped(
        _ work: @Sendable () async throws -> (any Sendable)?
    ) async throws -> (any Sendable)? {
        guard let aroundRun = core.aroundRun.withLock({ $0 }) else { return try await work() }
        // What the first call of the body led to. A body that was not called, or has not ended, counts as cancelled.
        let result = Lock<Result<(any Sendable)?, any Error>?>(nil)
        try await aroundRun(record) {
            let isFirst = result.withLock { result in
                defer { result = result ?? .failure(CancellationError()) }
                return result == nil
            }
            guard isFirst else { return }
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
                throw error
            }
        }
        return try result.withLock { $0 ?? .failure(CancellationError()) }.get()
    }

    private nonisolated(nonsending) func mayStart(_ start: RunStart) async -> Bool {
        switch start {
        case .immediately:
            return true
        case .inTurn(let turn):
            return await turn.waitUnlessCancelled()
        case .at(let deadline):
            // A cancellation cuts the sleep short. The run is then no longer pending.
            try? await core.clock.sleep(until: deadline)
            return await core.enter(as: .outside) { core, _ in core.deadlineReached(self) }
        }
    }

    // MARK: Random numbers

    /// The next random number of the run, at least 0 and below 1.
    func draw(seed: UInt64) -> Double {
        let index = id &* 0x1_0000 &+ draws.add(1, ordering: .relaxed).newValue
        return Double(SplitMix64.number(at: seed &+ index &* SplitMix64.increment) >> 11) * 0x1p-53
    }
}
