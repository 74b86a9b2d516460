extension Relux {
    /// Sees everything that a store does: a logger, trace, recorder, or debugger.
    ///
    /// - Isolation: Called inside the store, synchronously. Be quick, and pass longer work on to other code.
    /// - Ordering: Called in the order in which things happen. The records of a batch follow its last reducer, one
    ///   record per action. Each record precedes the runs that its action triggers.
    /// - Reentrancy: An observer may `send`, but must not wait for the store.
    /// - Lifetime: An observer is held until the store has been released and its last run has ended. It may hold a
    ///   dispatcher of the store.
    public protocol StoreObserver: Sendable {
        /// An action was reduced, and all of its reducers have run. For every action of a batch, the states are those
        /// that the batch's last reducer left.
        ///
        /// To keep a state, copy it out of the reader. Copies share their storage with the store until either changes,
        /// and the next change of a state that was copied therefore copies its storage.
        ///
        /// - Parameters:
        ///   - record: The action, its position in the order, and where it came from.
        ///   - states: Reads the states, from the root of the store.
        func actionReduced(_ record: ActionRecord, leaving states: borrowing StateReader)

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

        /// A run ended with an error that neither a caller of `perform` nor the saga's `actionOnFailure` receives.
        /// Called before ``runEnded(_:_:lateError:)``.
        ///
        /// - Parameters:
        ///   - run: The run that threw the error.
        ///   - error: The error, as it appears in `failures`.
        func failureUnreceived(of run: RunRecord, _ error: any Error)

        /// An action, a write, or a call was refused.
        ///
        /// - Parameter refusal: The refused action or call, and the reason.
        func refused(_ refusal: Refusal)

        /// A module was registered. Called in the step that registers it.
        ///
        /// The reader has the module's states, with the values that they start with. It doesn't have modules that are
        /// registered later in the same step, such as children of these states.
        ///
        /// - Parameters:
        ///   - module: The module.
        ///   - scope: The instance, if the module is one or is registered in one; nil for the root.
        ///   - states: Reads the states, from the root of the store.
        func moduleRegistered(_ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader)

        /// A module was listed or registered again. The first instance stays, and gets another owner.
        ///
        /// This is normal for a dependency of several modules, and not a refusal.
        func moduleShared(_ module: any Module.Type)

        /// A module was replaced by another instance of its type. Its states stay.
        ///
        /// - Parameters:
        ///   - module: The module.
        ///   - scope: The instance, if the module is one or is registered in one; nil for the root.
        ///   - states: Reads the states, from the root of the store.
        func moduleReplaced(_ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader)

        /// A module was unregistered.
        ///
        /// - Parameters:
        ///   - module: The module.
        ///   - scope: The instance, if the module is one or was registered in one; nil for the root.
        func moduleUnregistered(_ module: any Module.Type, in scope: Scope?)

        /// States returned to their initial values. Instances that follow one of them have not yet been opened or
        /// closed to match it.
        ///
        /// - Parameters:
        ///   - types: The states.
        ///   - states: Reads the states, from the root of the store.
        func statesReset(_ types: [any State.Type], leaving states: borrowing StateReader)
    }
}

extension Relux.StoreObserver {
    /// Does nothing.
    public func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {}

    /// Does nothing.
    public func runStarted(_ run: Relux.RunRecord) {}

    /// Does nothing.
    public func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {}

    /// Does nothing.
    public func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {}

    /// Does nothing.
    public func refused(_ refusal: Relux.Refusal) {}

    /// Does nothing.
    public func moduleRegistered(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving states: borrowing Relux.StateReader
    ) {}

    /// Does nothing.
    public func moduleShared(_ module: any Relux.Module.Type) {}

    /// Does nothing.
    public func moduleReplaced(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving states: borrowing Relux.StateReader
    ) {}

    /// Does nothing.
    public func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {}

    /// Does nothing.
    public func statesReset(_ types: [any Relux.State.Type], leaving states: borrowing Relux.StateReader) {}
}
