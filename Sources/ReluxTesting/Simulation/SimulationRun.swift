import Relux
import ReluxDiagnostics

/// One run of a scenario with one schedule, from its first job to its last.
struct SimulationRun: Sendable {
    let limits: Simulation.Limits
    let scenario: Simulation.Scenario
    let capture: IssueCapture

    /// How a run went.
    struct Result: Sendable {
        let tape: ScheduleTape
        /// Identifies the order of actions and runs.
        let order: UInt64
        /// The failure; nil if the run passed.
        let failure: Journal.Failure?
        /// The number of jobs until the scenario was over.
        let jobs: Int
        /// The trace of each store, in order; empty if they were not recorded.
        let traces: [Relux.Trace]
        fileprivate let journal: Journal

        /// The trace, one line per event.
        var trace: [String] { journal.lines() }

        /// The checks that must have something to check in one of the runs.
        var checks: [StatedCheck] { journal.checks }

        fileprivate init(_ world: Simulation.World, jobs: Int, traces: [Relux.Trace]) {
            (journal, self.jobs, self.traces) = (world.journal, jobs, traces)
            tape = world.schedule.tape
            order = world.journal.order
            failure = world.journal.failureKind.map { Journal.Failure(kind: $0, text: world.journal.failure ?? "") }
        }
    }

    /// Runs the scenario.
    func run(_ strategy: Schedule.Strategy, isRecording: Bool = false) -> Result {
        let world = Simulation.World(Schedule(strategy), isRecording: isRecording)
        var (jobs, traces) = (0, [Relux.Trace]())
        capture.write(to: world.journal) {
            // The executor is new, so no other thread drives it and the body always runs.
            _ = world.executor.drive {
                world.journal.start()
                let root = Task(executorPreference: world.executor, priority: .medium) { [scenario] in
                    await world.live(scenario)
                }
                EscapeWatch.counting(into: world.journal.escapes) { world.turn(limits, counting: &jobs) }
                traces = world.traces
                world.tearDown(root)
            }
        }
        return Result(world, jobs: jobs, traces: traces)
    }

    /// Finds the simplest schedule that fails in the same way, and repeats it.
    ///
    /// - Returns: The failure of that schedule. If the schedule doesn't repeat it, the failure to shrink.
    func shrunk(_ result: Result, _ kind: String) -> (result: Result, repetition: Simulation.Repetition) {
        func failure(_ result: Result) -> Shrinker.Failure? {
            result.failure.map { Shrinker.Failure(tape: result.tape, kind: $0.kind, lines: result.journal.count) }
        }
        guard let first = failure(result) else { return (result, .passes) }
        // Runs that don't end take long, and shrinking them makes little difference.
        let jobBudget = kind == "endless" ? 100_000 - result.jobs : 1_000_000
        var shrinker = Shrinker(first, jobBudget: jobBudget) { tape in
            guard !Task.isCancelled else { return (nil, .max) }
            let result = run(.tape(tape))
            return (failure(result), result.jobs)
        }
        shrinker.shrink()
        let again = run(.tape(shrinker.best.tape))
        switch again.failure?.kind {
        case kind: return (again, .failsAlike)
        case nil: return (result, .passes)
        default: return (result, .failsDifferently)
        }
    }
}

extension Simulation.World {
    fileprivate func live(_ scenario: Simulation.Scenario) async {
        do {
            try await scenario(self)
        } catch {
            return journal.fail("The scenario", threw: error)
        }
        await settled()
        for (number, store) in contents.withLock({ $0.stores }) {
            await store.read { [journal] states in journal.checkEnd(states, of: number) }
        }
        journal.end()
    }

    /// Runs one job after another until the scenario has ended or something has failed. Time jumps when no job is left,
    /// or earlier if the schedule says so.
    fileprivate func turn(_ limits: Simulation.Limits, counting jobs: inout Int) {
        // Jobs that are waiting have waited since then at the earliest.
        var lastRest = clock.now
        while !journal.isOver {
            guard jobs < limits.jobs else { return noteEndlessness(jobs) }
            let count = executor.jobCount
            if count == 0 {
                // This resumes what waits for the executor to come to rest, and then runs its first job.
                guard executor.drain(limit: 1) == 1 else {
                    guard wakeNext() else { return noteStandstill() }
                    if clock.now.offset > limits.time { return noteEndlessTime() }
                    lastRest = clock.now
                    continue
                }
                lastRest = clock.now
            } else {
                let canPass = limits.passesEarly && canPassEarly(since: lastRest)
                let choice = schedule.choose(of: count, canPass: canPass) { executor.tasks }
                guard choice < count else {
                    _ = wakeNext()
                    continue
                }
                executor.run(at: choice)
            }
            jobs += 1
            checkChanges()
            if journal.escapes.value > 0 { return noteEscape() }
            if executor.strays > 0 || journal.stray != nil { return noteStray() }
        }
    }

    /// Checks the conditions that the scenario waits for in stores that have changed without an action.
    ///
    /// The check is a job like any other. Time doesn't pass before it has run.
    private func checkChanges() {
        let changed = journal.changed
        guard !changed.isEmpty else { return }
        for (number, store) in contents.withLock({ $0.stores }) where changed.contains(number) {
            journal.removeChange(of: number)
            guard journal.isWaiting else { continue }
            Task(executorPreference: executor, priority: .medium) { [journal] in
                await store.read { states in journal.checkEventualities(states) }
            }
        }
    }

    /// Whether time may pass although there are jobs. Short timers may overtake work, but neither long ones nor many
    /// short ones in a row may.
    ///
    /// While the scenario waits for a condition, time doesn't pass early.
    ///
    /// - Parameter lastRest: The last time at which no job was left.
    private func canPassEarly(since lastRest: ManualClock.Instant) -> Bool {
        guard let deadline = clock.nextDeadline, !journal.isWaiting else { return false }
        return lastRest.duration(to: deadline) <= .seconds(1)
    }

    /// Wakes every sleeper with the next deadline. The seed decides which of them runs first.
    private func wakeNext() -> Bool {
        guard let deadline = clock.nextDeadline else { return false }
        while clock.nextDeadline == deadline { _ = clock.wakeNext() }
        return true
    }

    /// Ends all tasks and stores, so that none is left on a scheduler that is no longer driven.
    fileprivate func tearDown(_ root: Task<Void, Never>) {
        journal.end()
        root.cancel()
        var jobs = 0
        while jobs < 100_000 {
            // In each round, because the scenario may go on, and create more.
            endContents()
            if executor.drain(limit: 1) == 1 { jobs += 1 } else if !wakeNext() { break }
        }
        executor.retire()
    }

    /// Cancels the tasks, and shuts the stores down.
    ///
    /// After this, the stores are held only by their own tasks. The jobs that they post while they are released are
    /// therefore drained.
    private func endContents() {
        let left = contents.withLock { contents in
            defer { contents = Contents() }
            return contents
        }
        for task in left.tasks { task.cancel() }
        for (_, store) in left.stores {
            Task(executorPreference: executor, priority: .medium) { await store.shutdown() }
        }
    }
}

// MARK: - Work outside the scheduler, and work that doesn't end

extension Simulation.World {
    private func noteStandstill() {
        journal.fail(
            """
            Nothing can run, no deadline is due, and the scenario hasn't ended. Something waits for work outside the \
            scheduler (a plain `Task {}`, a detached task, the main actor, a real sleep or file), or for what never comes.
            """,
            kind: "standstill", details: unfinished
        )
    }

    private func noteStray() {
        let event = journal.stray.map { "\n    On another thread: \($0)" } ?? ""
        journal.fail(
            """
            A job came from another thread: something in the scenario waited for work outside the scheduler (a plain \
            `Task {}`, a detached task, the main actor, a real sleep or file). Such a run can't be repeated.\(event)
            """,
            kind: "stray", details: unfinished
        )
    }

    private func noteEscape() {
        journal.fail(
            """
            Work left the scheduler: something in the scenario started or resumed a task elsewhere (a plain `Task {}`, \
            a detached task). Such a run can't be repeated. Start tasks with `world.task` or \
            `Task(executorPreference: world.executor)`.
            """,
            kind: "escape", details: unfinished
        )
    }

    private func noteEndlessness(_ jobs: Int) {
        journal.fail("It hasn't ended after \(jobs.counting("job")).", kind: "endless", details: unfinished)
    }

    private func noteEndlessTime() {
        let text = "It hasn't ended by \(clock.now.offset.decimalText) of its virtual time."
        journal.fail(text, kind: "endless", details: unfinished)
    }

    /// Returns one line for each unfinished task, each busy run and each sleeper.
    ///
    /// The stores are asked by jobs, and other jobs go on meanwhile.
    private func unfinished() -> String {
        let sleepers = clock.sleepers.map { "Sleeping: \($0)" }
        let lines = Shared<[String]>([])
        let (tasks, stores) = contents.withLock { ($0.tasks, $0.stores) }
        let ends = Shared<Set<Int>>([])
        for task in tasks {
            Task(executorPreference: executor) {
                await task.end()
                ends.change { $0.insert(task.id) }
            }
        }
        for (number, store) in stores {
            Task(executorPreference: executor, priority: .medium) { [journal] in
                let place = journal.hasSeveralStores ? " in store \(number)" : ""
                let busy = await store.busyRuns().map { "Busy\(place): \(RunText.line($0))" }
                lines.change { $0 += busy }
            }
        }
        executor.drain(limit: 10_000)
        let ended = ends.value
        let waiting = tasks.filter { !ended.contains($0.id) }.map { "\($0.name) hasn't ended." }
        let all = waiting + lines.value + sleepers
        return (all.isEmpty ? ["The scenario itself hasn't ended; no task and no run is busy."] : all)
            .map { "    \($0)" }.joined(separator: "\n")
    }
}

extension Relux.Store {
    /// Returns the runs that keep the store from being idle, in the order of their creation.
    func busyRuns() async -> [Relux.NotIdle.BusyRun] {
        do {
            // On a manual clock, a limit of zero expires at once.
            try await idle(within: .zero)
            return []
        } catch {
            return error.busy
        }
    }
}
