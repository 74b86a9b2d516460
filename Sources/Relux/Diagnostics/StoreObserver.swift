extension Relux {
    /// Sees everything that a store does: a logger, trace, recorder, or debugger.
    ///
    /// - Isolation: Called inside the store, synchronously. Be quick, and hand longer work to something else.
    /// - Ordering: Called in the order in which things happen. The records of a batch follow its last reducer, one
    ///   record per action. Each record precedes the runs that its action triggers.
    /// - Reentrancy: An observer may `send`, but must not wait for the store.
    /// - Lifetime: An observer is held until the store has been released and its last run has ended. It may hold a
    ///   dispatcher of the store.
    public protocol StoreObserver: Sendable {
        /// An action was reduced, and all of its reducers have run.
        ///
        /// - Parameter record: The action, its position in the order, and where it came from.
        func actionReduced(_ record: ActionRecord)

        /// A run started.
        ///
        /// - Parameter run: The run, with its ``RunRecord/startTime``.
        func runStarted(_ run: RunRecord)

        /// A run ended, or will never start.
        ///
        /// - Parameters:
        ///   - run: The run, with its ``RunRecord/startTime``, if it had started, and ``RunRecord/endTime``.
        ///   - outcome: How it ended.
        ///   - lateError: The error that the run threw after it had been cancelled or superseded. The outcome hides it.
        func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?)

        /// An action, a write, or a call was refused.
        ///
        /// - Parameter refusal: What was refused, and why.
        func refused(_ refusal: Refusal)

        /// A module was registered.
        func moduleRegistered(_ module: any Module.Type)

        /// A module was registered in a scope. Calls ``moduleRegistered(_:)`` unless it is implemented.
        ///
        /// - Parameters:
        ///   - module: The module.
        ///   - scope: The instance, if the module is one or is registered in one; nil for the root.
        func moduleRegistered(_ module: any Module.Type, in scope: Scope?)

        /// A module was listed or registered again. The first instance stays, and has another owner now.
        ///
        /// This is how an ordinary dependency of several modules appears. It is not a refusal.
        func moduleShared(_ module: any Module.Type)

        /// A module was replaced by another instance of its type. Its states stay.
        ///
        /// - Parameters:
        ///   - module: The module.
        ///   - scope: The instance, if the module is one or is registered in one; nil for the root.
        func moduleReplaced(_ module: any Module.Type, in scope: Scope?)

        /// A module was unregistered.
        func moduleUnregistered(_ module: any Module.Type)

        /// A module was unregistered in a scope. Calls ``moduleUnregistered(_:)`` unless it is implemented.
        ///
        /// - Parameters:
        ///   - module: The module.
        ///   - scope: The instance, if the module is one or was registered in one; nil for the root.
        func moduleUnregistered(_ module: any Module.Type, in scope: Scope?)

        /// States returned to their initial values.
        func statesReset(_ states: [any State.Type])
    }
}

extension Relux.StoreObserver {
    /// Does nothing.
    public func actionReduced(_ record: Relux.ActionRecord) {}

    /// Does nothing.
    public func runStarted(_ run: Relux.RunRecord) {}

    /// Does nothing.
    public func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {}

    /// Does nothing.
    public func refused(_ refusal: Relux.Refusal) {}

    /// Does nothing.
    public func moduleRegistered(_ module: any Relux.Module.Type) {}

    /// Calls ``moduleRegistered(_:)``.
    public func moduleRegistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) { moduleRegistered(module) }

    /// Does nothing.
    public func moduleShared(_ module: any Relux.Module.Type) {}

    /// Does nothing.
    public func moduleReplaced(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {}

    /// Does nothing.
    public func moduleUnregistered(_ module: any Relux.Module.Type) {}

    /// Calls ``moduleUnregistered(_:)``.
    public func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {
        moduleUnregistered(module)
    }

    /// Does nothing.
    public func statesReset(_ states: [any Relux.State.Type]) {}
}
