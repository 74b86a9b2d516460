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
    let yields = YieldSchedule()
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
    func post(_ mail: consuming Mailbox.Mail) {
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

    /// Takes an action: at once if the lock is free, and else when it is the caller's turn.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - handle: The run that speaks through its context; nil for stores and dispatchers.
    ///   - site: The line of the call.
    /// - Returns: The action's number, and a way to await what it set off.
    // inline, and called past the ``Entrance``, which would hold the engine beside the run: so the way of an action
    // that concerns nothing but reducers is one function in each verb, and a context retains nothing for it.
    @inline(__always)
    nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, by handle: RunHandle?, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        if tryLock(from: #isolation) {
            defer { lock.unlock() }
            return Relux.Dispatched(core.dispatch(action, by: handle, at: site))
        }
        return await dispatchInTurn(action, by: handle, at: site)
    }

    @inline(never)
    private nonisolated(nonsending) func dispatchInTurn(
        _ action: some Relux.Action, by handle: RunHandle?, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(enter { core in core.take(action, by: core.speaker(handle), at: site) })
    }

    /// Notes at once that a run has ended, if the lock is free.
    ///
    /// Called by the run's own task, which belongs to no actor.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - outcome: How it ended.
    /// - Returns: Whether it did.
    func endShortly(_ run: RunTable.RunID, _ outcome: Completion.Outcome) -> Bool {
        guard tryLock(from: nil) else { return false }
        defer { lock.unlock() }
        core.collect()
        core.ended(run, outcome)
        return true
    }

    /// One call into the store, after all that was posted before.
    ///
    /// - Parameters:
    ///   - turn: The caller's place in the line; nil if it has none yet.
    ///   - body: What to do inside.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @inline(__always)
    nonisolated(nonsending) func enter<Result: Sendable, Failure: Error>(
        at turn: Turn? = nil, _ body: @Sendable (Core) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if let turn { return try await enterInTurn(turn, body) }
        let isolation = #isolation
        if tryLock(from: isolation) {
            defer { lock.unlock() }
            core.collect()
            return try body(core)
        }
        // The executor that the store was given decides who goes on: one with a seed finds other orders so.
        if executor != nil && isolation == nil { await Task.yield() }
        return try await enterInTurn(self.turn(), body)
    }

    /// The place of a caller in the line; it has the lock already where there is nobody else.
    struct Turn: Sendable {
        fileprivate let signal: Signal?
    }

    /// A place in the line, which has to be used.
    ///
    /// It is taken where the caller is isolated, and used elsewhere: those who leave an actor come in in the order in
    /// which they leave it.
    func turn() -> Turn {
        Turn(signal: lock.lockOrStandInLine())
    }

    /// Takes the lock, if the calling task may go in as it is and nobody is inside.
    ///
    /// - Parameter isolation: Where the caller is isolated.
    /// - Returns: Whether it did. Who takes it has to unlock.
    @inline(__always)
    private func tryLock(from isolation: (any Actor)?) -> Bool {
        guard isolation == nil, executor == nil else { return false }
        return lock.tryLock() || lock.tryLockForAMoment()
    }

    /// Enters away from all actors, when it is the caller's turn.
    @concurrent private func enterInTurn<Result: Sendable, Failure: Error>(
        _ turn: Turn, _ body: @Sendable (Core) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if let signal = turn.signal { await signal.wait() }
        defer { lock.unlock() }
        core.collect()
        return try body(core)
    }
}
