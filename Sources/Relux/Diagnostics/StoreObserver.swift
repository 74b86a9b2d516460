extension Relux {
    /// What wants to see everything that a store does: loggers, traces, recorders, debuggers.
    ///
    /// - Isolation: Called inside the store, synchronously. Be quick, and hand longer work on.
    /// - Ordering: In the order of what happens. The records of a batch come after its last reducer, one an action, and
    ///   each before the runs that its action sets off.
    /// - Reentrancy: An observer may `send`; it must not wait for the store.
    /// - Lifetime: The store keeps its observers for as long as anything may still be reported to them.
    public protocol StoreObserver: Sendable {
        /// An action was reduced: every reducer of it has run.
        ///
        /// - Parameter record: The action, its place in the order and where it came from.
        func actionReduced(_ record: ActionRecord)

        /// A run started.
        ///
        /// - Parameter run: The run.
        func runStarted(_ run: RunRecord)

        /// A run ended, or will never start.
        ///
        /// - Parameters:
        ///   - run: The run.
        ///   - outcome: How it ended.
        ///   - lateError: What it threw after it had been cancelled or superseded, which its outcome hides.
        func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?)

        /// An action, a write or a call was refused.
        ///
        /// - Parameter refusal: What, and why.
        func refused(_ refusal: Refusal)

        /// A module came.
        ///
        /// - Parameter module: Its type.
        func moduleRegistered(_ module: any Module.Type)

        /// A module was listed or registered again. The first instance stays, and has another owner now.
        ///
        /// This is how an ordinary dependency of several modules appears. It is not a refusal.
        func moduleShared(_ module: any Module.Type)

        /// A module went.
        ///
        /// - Parameter module: Its type.
        func moduleUnregistered(_ module: any Module.Type)

        /// States went back to their initial values.
        ///
        /// - Parameter states: Which ones.
        func statesReset(_ states: [any State.Type])
    }
}

extension Relux.StoreObserver {
    /// Does nothing.
    ///
    /// - Parameter record: The action.
    public func actionReduced(_ record: Relux.ActionRecord) {}

    /// Does nothing.
    ///
    /// - Parameter run: The run.
    public func runStarted(_ run: Relux.RunRecord) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - outcome: How it ended.
    ///   - lateError: What it threw after it had been cancelled or superseded.
    public func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {}

    /// Does nothing.
    ///
    /// - Parameter refusal: What, and why.
    public func refused(_ refusal: Relux.Refusal) {}

    /// Does nothing.
    ///
    /// - Parameter module: Its type.
    public func moduleRegistered(_ module: any Relux.Module.Type) {}

    /// Does nothing.
    public func moduleShared(_ module: any Relux.Module.Type) {}

    /// Does nothing.
    ///
    /// - Parameter module: Its type.
    public func moduleUnregistered(_ module: any Relux.Module.Type) {}

    /// Does nothing.
    ///
    /// - Parameter states: Which ones.
    public func statesReset(_ states: [any Relux.State.Type]) {}
}
