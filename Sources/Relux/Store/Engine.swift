import Synchronization

/// The actor behind a store: it gives the core its isolation, and is what runs, streams and dispatchers hold.
///
/// None of them keeps the ``Relux/Store`` that people hold. When its last reference goes it posts a close, after which
/// this actor is an empty shell that refuses everything until the last handle on it is gone as well.
actor Engine {
    // nonisolated(unsafe): touched on this actor's executor only. `Store` shares that executor, and so the core.
    nonisolated(unsafe) let core: Core
    nonisolated let mailbox: Mailbox
    nonisolated let clock: StoreClock
    nonisolated let executor: (any TaskExecutor)?
    /// What the jitter of retries is drawn from.
    nonisolated let randomSeed: UInt64
    private nonisolated let lastGroup = Atomic<UInt64>(0)
    /// Whether there may be runs: where there are none, nobody's task can be the one of a run, and needn't be asked.
    nonisolated let hasRuns = Atomic(false)

    init(_ configuration: Relux.StoreConfiguration) {
        let mailbox = Mailbox()
        self.mailbox = mailbox
        clock = StoreClock(configuration.clock)
        executor = configuration.executor
        randomSeed = configuration.randomSeed ?? UInt64.random(in: .min ... .max)
        core = Core(configuration, mailbox: mailbox, clock: clock)
        core.engine = self
    }

    /// A number for a group of runs, unique in the store.
    nonisolated func nextGroup() -> RunTable.GroupID {
        lastGroup.add(1, ordering: .relaxed).newValue
    }

    /// Hands something over without waiting.
    nonisolated func post(_ mail: Mailbox.Mail) {
        guard mailbox.post(mail) else { return }
        // Detached: nothing of the posting task, neither its priority nor its values, belongs to those who come later.
        Task.detached(executorPreference: executor) { await self.collect() }
    }

    nonisolated func post(_ order: @escaping @Sendable (Core) -> Void) {
        post(Mailbox.Mail(order))
    }

    private func collect() {
        core.collect(isCollection: true)
    }

    /// The task of a run has ended.
    func ended(_ run: RunTable.RunID, _ outcome: Completion.Outcome) {
        core.collect()
        core.ended(run, outcome)
    }

    /// One call into the store, after all that was posted before.
    func enter<Result: Sendable, Failure: Error>(
        _ body: @Sendable (Core) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        core.collect()
        return try body(core)
    }
}
