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
        /// - Parameter id: What the changes have in common, such as the field being edited.
        public static func merging(_ id: some Hashable & Sendable) -> HistoryRole {
            HistoryRole(kind: .merging(AnySendableHashable(id)))
        }
    }
}
