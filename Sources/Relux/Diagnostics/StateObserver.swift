/// An observer that also sees the states as each action leaves them. For the tools of the testing library.
package protocol StateObserver: Relux.StoreObserver {
    /// An action was reduced. Called after `actionReduced(_:)` of all observers.
    ///
    /// For every action of a batch, the states are those that the batch's last reducer left.
    ///
    /// - Parameters:
    ///   - record: The action.
    ///   - states: Reads the states.
    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader)

    /// A run ended with an error that no caller of `perform` receives. Called before `runEnded`.
    ///
    /// - Parameters:
    ///   - run: The run that threw the error.
    ///   - error: The error, as it appears in `failures`.
    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error)
}

extension StateObserver {
    package func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {}
}
