extension Relux {
    /// A state whose changes can be undone, and which defines how.
    ///
    /// Every requirement has a default, so `extension Notes.State: Relux.UndoableState {}` is enough. Every action that
    /// changes the state is then a step, and undoing restores the whole state.
    public protocol UndoableState: State {
        /// The meaning of an action for the history. The default is ``HistoryRole/step``.
        ///
        /// It must be pure, like a reducer.
        ///
        /// - Parameter action: The action that is about to be reduced.
        func historyRole(of action: Action) -> HistoryRole

        /// Restores an earlier or later version of the state. The default restores all of it.
        ///
        /// A state that also holds values that undo must not touch, such as whether it is saved, restores only the
        /// rest:
        ///
        /// ```swift
        /// mutating func restore(_ snapshot: Self) {
        ///     items = snapshot.items
        ///     isSaved = false
        /// }
        /// ```
        ///
        /// It must be pure, like a reducer.
        ///
        /// - Parameter snapshot: The version of the state to restore.
        mutating func restore(_ snapshot: Self)
    }
}

extension Relux.UndoableState {
    /// Returns ``Relux/HistoryRole/step`` for every action.
    public func historyRole(of action: Action) -> Relux.HistoryRole { .step }

    /// Replaces the whole state with the snapshot.
    public mutating func restore(_ snapshot: Self) {
        self = snapshot
    }
}
