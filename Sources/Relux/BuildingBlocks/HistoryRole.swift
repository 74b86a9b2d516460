extension Relux {
    /// What an action means for the history of an ``Undoable`` state.
    public struct HistoryRole: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case step
            case merging(AnySendableHashable)
            case passing
        }

        let kind: Kind

        /// Makes a step of its own, if it changes the state.
        public static let step = HistoryRole(kind: .step)

        /// Changes the state without a step: a selection, a progress, what a service answered.
        ///
        /// The steps made before and after it stay what they are. A later undo goes back to a state from before this
        /// change too, unless ``UndoableState/restore(_:)`` leaves that part of the state alone.
        public static let passing = HistoryRole(kind: .passing)

        /// Joins the step before it, if that one was made by actions with the same id; otherwise makes a step.
        ///
        /// So a word that is typed letter by letter, or a slider that is dragged, is undone at once.
        ///
        /// - Parameter id: What the changes have in common, such as the field that is typed into.
        /// - Returns: The role.
        public static func merging(_ id: some Hashable & Sendable) -> HistoryRole {
            HistoryRole(kind: .merging(AnySendableHashable(id)))
        }
    }
}
