import Synchronization

/// What stands behind a store: it lets one task at a time at the core, and is what runs, streams and dispatchers hold.
///
/// None of them keeps the ``Relux/Store`` that people hold. When its last reference goes it posts a close, after which
/// this is an empty shell that refuses everything until the last handle on it is gone as well.
///
/// A task enters in its own thread where that belongs to no actor and the lock is free; so what is short costs little
/// more than a call. It never enters on an actor's executor: a reducer that takes its time holds up no main actor, and
/// no other.
final class Engine: Sendable {
    // nonisolated(unsafe): touched by whoever holds the lock.
    nonisolated(unsafe) let core: Core
    private let lock = AsyncLock()
    let mailbox: Mailbox
    let clock: StoreClock
    let executor: (any TaskExecutor)?
    /// What the jitter of retries is drawn from.
    let randomSeed: UInt64
    private let lastGroup = Atomic<UInt64>(0)
    /// Whether there may be runs: where there are none, nobody's task can be the one of a run, and needn't be asked.
    let hasRuns = Atomic(false)

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
    func nextGroup() -> RunTable.GroupID {
        lastGroup.add(1, ordering: .relaxed).newValue
    }

    /// Hands something over without waiting.
    func post(_ mail: Mailbox.Mail) {
        guard mailbox.post(mail) else { return }
        // Detached: nothing of the posting task, neither its priority nor its values, belongs to those who come later.
        Task.detached(executorPreference: executor) { await self.collect() }
    }

    func post(_ order: @escaping @Sendable (Core) -> Void) {
        post(Mailbox.Mail(order))
    }

    @concurrent private func collect() async {
        await lock.lockOrStandInLine()?.wait()
        defer { lock.unlock() }
        core.collect(isCollection: true)
    }

    // MARK: One call into the store

    /// Takes an action at once, if the lock is free, nothing runs, and it concerns nothing but reducers.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - isolation: Where the caller is isolated.
    /// - Returns: Its number, or 0 if it has to go the long way.
    /// - Complexity: O(1), apart from the reducers and waiting readers of this very type of action.
    @inline(__always)
    func dispatchShortly(_ action: some Relux.Action, from isolation: (any Actor)?) -> UInt64 {
        guard tryLock(from: isolation) else { return 0 }
        defer { lock.unlock() }
        return core.dispatchShortly(action)
    }

    /// One call into the store, after all that was posted before.
    @inline(__always)
    nonisolated(nonsending) func enter<Result: Sendable, Failure: Error>(
        _ body: @Sendable (Core) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if tryLock(from: #isolation) {
            defer { lock.unlock() }
            core.collect()
            return try body(core)
        }
        // The place in the line is taken here: those who leave one actor come in in the order in which they leave it.
        return try await enterInTurn(lock.lockOrStandInLine(), body)
    }

    /// Takes the lock, if the calling task may go in as it is and nobody is inside.
    ///
    /// - Parameter isolation: Where the caller is isolated.
    @inline(__always)
    private func tryLock(from isolation: (any Actor)?) -> Bool {
        isolation == nil && executor == nil && lock.tryLock()
    }

    /// Enters away from all actors, when it is the caller's turn.
    ///
    /// - Parameters:
    ///   - turn: What to await first; nil if the caller has the lock already.
    ///   - body: What to do inside.
    /// - Returns: What the body returns.
    @concurrent private func enterInTurn<Result: Sendable, Failure: Error>(
        _ turn: Signal?, _ body: @Sendable (Core) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if let turn {
            await turn.wait()
        } else if executor != nil {
            // The executor that the store was given decides who goes on: one with a seed finds other orders so.
            await Task.yield()
        }
        defer { lock.unlock() }
        core.collect()
        return try body(core)
    }
}
