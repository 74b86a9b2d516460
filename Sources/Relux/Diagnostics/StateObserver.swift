extension Relux {
    /// An observer that also sees the states as each action leaves them: for traces, debuggers, and test tools.
    ///
    /// It costs nothing for stores without one.
    public protocol StateObserver: StoreObserver {
        /// An action was reduced. Called after `actionReduced(_:)` of all observers.
        ///
        /// For every action of a batch, the states are those that the batch's last reducer left. To keep a state, copy
        /// it out of the reader. Copies share their storage with the store until either changes, and the next change of
        /// a state that was copied therefore copies its storage.
        ///
        /// - Parameters:
        ///   - record: The action.
        ///   - states: Reads the states.
        func actionReduced(_ record: ActionRecord, leaving states: borrowing StateReader)

        /// A run ended with an error that no caller of `perform` receives. Called before `runEnded`.
        ///
        /// - Parameters:
        ///   - run: The run that threw the error.
        ///   - error: The error, as it appears in `failures`.
        func failureUnreceived(of run: RunRecord, _ error: any Error)
    }
}

extension Relux.StateObserver {
    /// Does nothing.
    public func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {}
}
