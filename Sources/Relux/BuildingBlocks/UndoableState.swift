extension Relux {
    /// A state whose changes can be undone, and which says how.
    ///
    /// Everything has a default, so `extension Notes.State: Relux.UndoableState {}` is enough: every action that
    /// changes the state is then a step, and undoing brings the whole state back.
    public protocol UndoableState: State {
        /// What an action means for the history. The default is ``HistoryRole/step``.
        ///
        /// Pure, as a reducer is.
        ///
        /// - Parameter action: The action that is about to be reduced.
        /// - Returns: Its role.
        func historyRole(of action: Action) -> HistoryRole

        /// Goes back, or forward again, to what this state was at another time. The default takes all of it over.
        ///
        /// A state that also holds what no undo should touch, such as whether it is saved, takes over only the rest:
        ///
        /// ```swift
        /// mutating func restore(_ snapshot: Self) {
        ///     items = snapshot.items
        ///     isSaved = false
        /// }
        /// ```
        ///
        /// Pure, as a reducer is.
        ///
        /// - Parameter snapshot: The state as it was.
        mutating func restore(_ snapshot: Self)
    }
}

extension Relux.UndoableState {
    /// A step, whatever the action.
    ///
    /// - Parameter action: The action that is about to be reduced.
    /// - Returns: ``Relux/HistoryRole/step``.
    public func historyRole(of action: Action) -> Relux.HistoryRole { .step }

    /// Takes over all of it.
    ///
    /// - Parameter snapshot: The state as it was.
    public mutating func restore(_ snapshot: Self) {
        self = snapshot
    }
}
