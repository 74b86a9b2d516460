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

extension Relux {
    /// The meaning of an action for the history of an ``Undoable`` state.
    public struct HistoryRole: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case step
            case merging(AnySendableHashable)
            case passing
        }

        let kind: Kind

        /// Makes a step of its own, if it changes the state.
        public static let step = HistoryRole(kind: .step)

        /// Changes the state without making a step. Examples are a selection, progress, or a service's response.
        ///
        /// The steps made before and after it are unaffected. A later undo restores a state from before this change as
        /// well, unless ``UndoableState/restore(_:)`` leaves that part of the state alone.
        public static let passing = HistoryRole(kind: .passing)

        /// Joins the previous step if it was made by actions with the same id, and makes a step otherwise.
        ///
        /// This way, a word that is typed letter by letter, or the dragging of a slider, is undone in one step.
        ///
        /// - Parameter id: Something that the changes have in common, such as the field being edited.
        public static func merging(_ id: some Hashable & Sendable) -> HistoryRole {
            HistoryRole(kind: .merging(AnySendableHashable(id)))
        }
    }
}
