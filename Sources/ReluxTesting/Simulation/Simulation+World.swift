import Relux

extension Simulation {
    /// Where a scenario happens: its scheduler, its time, its chance, its stores.
    ///
    /// - Isolation: Every member can be used from anywhere. What isn't meant to leave the scheduler stays in the
    ///   scenario and in what it starts: structured children, ``task(_:fileID:line:operation:)``, the stores of the
    ///   world and their sagas, default actors. A plain `Task {}` leaves it, as do detached tasks, the main actor and
    ///   real sleeps.
    /// - Lifetime: The world keeps its stores until the seed is over.
    public final class World: Sendable {
        struct Contents {
            var stores: [Relux.Store] = []
            var tasks: [WorldTask] = []
            var lastTask = 0
        }

        /// What the run follows from.
        public let seed: UInt64

        /// The virtual time. It jumps to the next deadline when nothing else can run; nobody else has to move it.
        public let clock = ManualClock()

        /// Carries every task of the scenario. Work that the world doesn't start itself can prefer it.
        public let executor: SeededExecutor

        /// The random numbers, which follow from the seed.
        public let random: Generator

        let journal: Journal
        let contents = Lock(Contents())

        init(seed: UInt64) {
            self.seed = seed
            executor = SeededExecutor(seed: seed)
            // Another number, so that chance doesn't repeat the choices of the scheduler.
            random = Generator(seed: seed ^ 0x5DEE_CE66_D1CE_4E5B)
            journal = Journal(clock: clock)
        }
    }
}

// MARK: - Stores and tasks

extension Simulation.World {
    /// Makes a store on the world's scheduler and clock, whose actions and runs are in the trace.
    ///
    /// - Parameters:
    ///   - configuration: Given states, middleware, observers, a seed for the jitter. Its clock and executor are
    ///     replaced by the world's.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - modules: Lists the modules.
    /// - Returns: The store. The world keeps it until the seed is over.
    /// - Throws: What the closure throws, or a `StoreError` if the modules don't fit together.
    public nonisolated(nonsending) func store(
        _ configuration: Relux.StoreConfiguration = .init(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @Relux.ModuleBuilder modules: @Sendable () async throws -> [any Relux.Module]
    ) async throws -> Relux.Store {
        let store = try await Relux.Store(
            self.configuration(configuration), fileID: fileID, line: line, modules: modules)
        contents.withLock { $0.stores.append(store) }
        return store
    }

    /// What ``store(_:fileID:line:modules:)`` makes its store with, for one that the world isn't to keep.
    ///
    /// - Parameter configuration: What to start from.
    /// - Returns: The same with the world's clock, executor and seed, and with an observer that writes the trace. It is
    ///   for one store.
    public func configuration(_ configuration: Relux.StoreConfiguration = .init()) -> Relux.StoreConfiguration {
        var configuration = configuration
        configuration.clock = clock
        configuration.executor = executor
        configuration.randomSeed = configuration.randomSeed ?? seed
        configuration.observers.insert(StoreJournal(journal: journal, store: journal.makeStore()), at: 0)
        return configuration
    }

    /// Starts a task beside the scenario: a second user, a server, somebody who cancels.
    ///
    /// The seed isn't over before it has ended. An error that it throws fails the seed, unless it is a
    /// `CancellationError`.
    ///
    /// - Parameters:
    ///   - name: What to call it in a failure; its line if omitted.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - operation: What it does.
    /// - Returns: The task, to await or to cancel.
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
                if !(error is CancellationError) { journal.fail("\(name) threw: \(ErrorText.line(error))") }
                throw error
            }
        }
        contents.withLock { contents in
            contents.tasks.append(
                WorldTask(id: id, name: name, end: { _ = await task.result }, cancel: { task.cancel() }))
        }
        return task
    }

    /// Waits until the world has come to rest: every task made by ``task(_:fileID:line:operation:)`` has ended, and
    /// every store is idle.
    ///
    /// For the scenario itself; a task of it would wait for its own end.
    public nonisolated(nonsending) func settled() async {
        var before = -1
        while journal.count != before || contents.withLock({ !$0.tasks.isEmpty }) {
            before = journal.count
            for task in contents.withLock({ $0.tasks }) {
                await task.end()
                contents.withLock { contents in contents.tasks.removeAll { $0.id == task.id } }
            }
            for store in contents.withLock({ $0.stores }) {
                // It throws only when this task is cancelled, and the seed is over then.
                try? await store.idle()
            }
        }
    }
}

/// A task of a scenario, without its type.
struct WorldTask: Sendable {
    let id: Int
    let name: String
    let end: @Sendable () async -> Void
    let cancel: @Sendable () -> Void
}
