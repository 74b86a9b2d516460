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
}
