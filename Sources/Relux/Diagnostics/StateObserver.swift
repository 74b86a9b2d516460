/// An observer that looks at the states too, as each action leaves them: for the tools of the testing library.
package protocol StateObserver: Relux.StoreObserver {
    /// An action was reduced. Called after `actionReduced(_:)` of all observers.
    ///
    /// The actions of a batch all leave the states as its last reducer did.
    ///
    /// - Parameters:
    ///   - record: The action.
    ///   - states: Reads the states.
    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader)
}
