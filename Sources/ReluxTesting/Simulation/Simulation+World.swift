import Relux
import ReluxDiagnostics

extension Simulation {
    /// The environment of a scenario: its scheduler, virtual clock, random numbers and stores.
    ///
    /// - Isolation: Every member can be used from anywhere. To stay on the scheduler, work must be part of the scenario
    ///   or be started by it: structured child tasks, ``task(_:fileID:line:operation:)``, the world's stores and their
    ///   sagas, and default actors. A plain `Task {}` leaves the scheduler, as do detached tasks, the main actor and
    ///   real sleeps.
    /// - Lifetime: The world keeps its stores alive until the seed is over.
    public final class World: Sendable {
        struct Contents {
            /// The stores that the world keeps alive, each with its number in the trace.
            var stores: [(number: Int, store: Relux.Store)] = []
            var tasks: [WorldTask] = []
            var storages: [WeakStorage] = []
            var lastTask = 0
            /// The recorders of the stores, in order, if anything is recorded.
            var recorders: [Relux.TraceRecorder] = []
        }

        /// The seed that determines the run; 0 for the plain order.
        public let seed: UInt64

        /// The virtual clock.
        ///
        /// It jumps to the next deadline when nothing else can run, so the scenario never has to advance it.
        public let clock = ManualClock()

        /// The executor of every task of the scenario.
        ///
        /// Work that the world doesn't start itself can name it as its preferred executor.
        public let executor: SeededExecutor

        /// The random numbers, determined by the seed.
        public let random: Generator

        let schedule: Schedule
        let journal: Journal
        let mainActor: SimulatedMainActor
        let contents = Lock(Contents())

        /// Whether what the stores do is recorded.
        let isRecording: Bool

        init(_ schedule: Schedule, isRecording: Bool = false) {
            self.isRecording = isRecording
            self.schedule = schedule
            seed = schedule.seed
            executor = SeededExecutor(chosenBySeed: schedule.seed)
            random = Generator(schedule)
            journal = Journal(clock: clock)
            mainActor = SimulatedMainActor(on: executor, journal)
        }
    }
}

// MARK: - Stores and tasks

extension Simulation.World {
    /// Creates a store on the world's scheduler and clock whose actions and runs appear in the trace.
    ///
    /// - Parameter configuration: Initial states, middleware, observers and the seed for jitter. Its clock and executor
    ///   are replaced by the world's.
    /// - Returns: The store. The world keeps it alive until the seed is over.
    /// - Throws: Any error that the closure throws, or a `StoreError` if the modules don't fit together.
    public nonisolated(nonsending) func store(
        _ configuration: Relux.StoreConfiguration = .init(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @Relux.ModuleBuilder modules: @Sendable () async throws -> [any Relux.Module]
    ) async throws -> Relux.Store {
        let number = journal.makeStore()
        let store = try await Relux.Store(
            self.configuration(configuration, ofStore: number), fileID: fileID, line: line, modules: modules)
        contents.withLock { $0.stores.append((number, store)) }
        return store
    }

    /// Returns the configuration of ``store(_:fileID:line:modules:)``, for a store that the world must not keep alive.
    ///
    /// The world sees only what such a store reports. ``always(_:fileID:line:_:)`` and
    /// ``eventually(_:of:within:fileID:line:_:)`` are checked only after its actions, nothing is checked in it at the
    /// end, and ``settled()`` doesn't wait for it.
    ///
    /// - Parameter configuration: The configuration to start from.
    /// - Returns: The configuration with the world's clock and executor, with the world's seed unless it has its own,
    ///   and with an observer that writes the trace. Use it for one store only.
    public func configuration(_ configuration: Relux.StoreConfiguration = .init()) -> Relux.StoreConfiguration {
        self.configuration(configuration, ofStore: journal.makeStore())
    }

    private func configuration(
        _ configuration: Relux.StoreConfiguration, ofStore number: Int
    ) -> Relux.StoreConfiguration {
        var configuration = configuration
        configuration.clock = clock
        configuration.executor = executor
        configuration.mainActor = mainActor.context
        configuration.randomSeed = configuration.randomSeed ?? seed
        configuration.observers.insert(StoreJournal(journal: journal, store: number), at: 0)
        if isRecording {
            let recorder = Relux.TraceRecorder(states: .changed)
            contents.withLock { $0.recorders.append(recorder) }
            configuration.observers.append(recorder)
        }
        return configuration
    }

    /// The traces of the stores so far, if they are recorded.
    var traces: [Relux.Trace] { contents.withLock { $0.recorders }.map(\.trace) }

    /// Adds a line to the journal and to what is recorded.
    func noteEverywhere(_ text: String) {
        journal.note(text)
        for recorder in contents.withLock({ $0.recorders }) { recorder.note(text) }
    }

    /// Starts a task beside the scenario, such as a second user, a server, or something that cancels.
    ///
    /// The seed isn't over until the task has ended. An error that it throws fails the seed, unless it is a
    /// `CancellationError`, or the `EffectError.cancelled` of a task that was cancelled.
    ///
    /// - Parameter name: The name of the task in a failure; the line of the call if omitted.
    /// - Returns: The task, to await or cancel.
    @discardableResult
    public func task<Success: Sendable>(
        _ name: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        operation: @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        let name = name.map { "The task “\($0)”" } ?? "The task at \(Relux.CallSite(fileID: fileID, line: line))"
        let id = contents.withLock { contents in
            contents.lastTask += 1
            return contents.lastTask
        }
        let task = Task(executorPreference: executor, priority: .medium) { [journal] in
            do {
                return try await operation()
            } catch {
                if !Self.isCancellation(error) { journal.fail(name, threw: error) }
                throw error
            }
        }
        contents.withLock { contents in
            contents.tasks.append(
                WorldTask(id: id, name: name, end: { _ = await task.result }, cancel: { task.cancel() }))
        }
        return task
    }

    /// Whether an error only tells the current task that it was cancelled.
    static func isCancellation(_ error: any Error) -> Bool {
        switch error {
        case is CancellationError: true
        case Relux.EffectError.cancelled: Task.isCancelled
        default: false
        }
    }

    /// Executes main-actor code, such as what a screen does with its view states, callbacks, bindings, and drafts.
    ///
    /// In a simulation, the scheduler takes the place of the main actor. It executes this code, and the updates of view
    /// states, at points that the schedule chooses, and in the order in which they were requested, as the main actor
    /// does. Nothing else in the simulation runs in the meantime. The code must be synchronous. `MainActor.run` and
    /// `Task { @MainActor in }` leave the scheduler.
    ///
    /// ```swift
    /// let view = try await world.onMainActor { try store.viewState(of: Items.State.self) }
    /// await world.onMainActor { callbacks.complete.fire(id) }
    /// ```
    ///
    /// - Parameter body: Executed once.
    /// - Returns: The value that the body returns.
    @discardableResult
    public nonisolated(nonsending) func onMainActor<Value: Sendable>(
        _ body: @escaping @MainActor @Sendable () throws -> Value
    ) async throws -> Value {
        try await mainActor.run(body)
    }

    /// Adds a line to the trace.
    ///
    /// - Parameter text: A note for the trace, such as `the server restarts`.
    public func note(_ text: String) {
        noteEverywhere("note: \(text)")
    }

    /// Waits until every task started by ``task(_:fileID:line:operation:)`` has ended, every store is idle, and every
    /// view state shows what its store contains.
    ///
    /// Only the scenario itself may call this. One of its tasks would wait for its own end.
    public nonisolated(nonsending) func settled() async {
        var before = -1
        while journal.count != before || contents.withLock({ !$0.tasks.isEmpty }) {
            before = journal.count
            for task in contents.withLock({ $0.tasks }) {
                await task.end()
                contents.withLock { contents in contents.tasks.removeAll { $0.id == task.id } }
            }
            for (_, store) in contents.withLock({ $0.stores }) {
                // This throws only if the current task is cancelled, and by then the seed is over.
                try? await store.idle()
            }
            // Updates of view states may dispatch.
            if await mainActor.settle() { before = -1 }
            // A watcher that has something to do may not have said so.
            await executor.rest()
        }
    }
}

/// A type-erased task of a scenario.
struct WorldTask: Sendable {
    let id: Int
    let name: String
    let end: @Sendable () async -> Void
    let cancel: @Sendable () -> Void
}
