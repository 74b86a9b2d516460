import Synchronization

/// The body of a run's task: waits for its start, works, and reports its end.
struct RunTask: Sendable {
    let run: Run
    let work: Run.Work

    private var core: Core { run.core }

    /// Creates the task. It inherits the task-local values and the priority of the current task.
    ///
    /// - Parameter isDetached: Whether it inherits neither, because the current task only delivers mail.
    func start(isDetached: Bool) -> Task<Void, Never> {
        let name = shortName(of: run.saga)
        let executor: (any TaskExecutor)? = core.taskExecutor ?? (run.marksChildTasks ? globalConcurrentExecutor : nil)
        return isDetached
            ? Task.detached(name: name, executorPreference: executor) { await execute() }
            : Task(name: name, executorPreference: executor) { await execute() }
    }

    private nonisolated(nonsending) func execute() async {
        guard await mayStart() else { return }
        var output: (any Sendable)?
        var outcome = Relux.RunOutcome.finished
        do {
            // One that was halted before never begins.
            guard run.begin() else { throw CancellationError() }
            output = try await CurrentRun.$inherited.withValue(run.identity) { try await wrapped() }
        } catch {
            outcome = Relux.RunOutcome(thrown: error)
        }
        await core.enter(as: .outside) { [outcome, output] core, _ in core.end(run, outcome, output) }
    }

    private nonisolated(nonsending) func mayStart() async -> Bool {
        guard let turn = run.turn else { return true }
        // A task of its own, because the run may have to start earlier.
        let timer = run.deadline.map { deadline in
            Task(executorPreference: core.taskExecutor) { [core, run] in
                guard (try? await core.clock.sleep(until: deadline)) != nil else { return }
                await core.enter(as: .outside) { core, _ in
                    core.carryOut(core.runs.startPending([run], now: core.clock.now()))
                }
            }
        }
        defer { timer?.cancel() }
        return await turn.waitUnlessCancelled()
    }

    /// Does the work inside the wrapper of the configuration, which can neither repeat nor replace it.
    private nonisolated(nonsending) func wrapped() async throws -> (any Sendable)? {
        guard let aroundRun = core.aroundRun.withLock({ $0 }) else { return try await work(run) }
        // The result of the first call of the body; nil if it was not called, or has not ended.
        let result = Lock<Result<(any Sendable)?, any Error>?>(nil)
        let isCalled = Atomic(false)
        do {
            try await aroundRun(run.record) {
                guard !isCalled.exchange(true, ordering: .relaxed) else { return }
                do {
                    let value = try await work(run)
                    result.withLock { $0 = .success(value) }
                } catch {
                    result.withLock { $0 = .failure(error) }
                    throw error
                }
            }
        } catch {
            // An error of the body counts, whatever the wrapper has made of it.
            _ = try result.withLock { $0 }?.get()
            throw error
        }
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
