public import Relux
public import SampleServices

extension Items {
    /// What a user wants done with the list.
    ///
    /// Performing a command returns as soon as the list has changed. It throws an ``ItemsError`` if the rules don't
    /// allow the command, in which case nothing has changed. Commands run one after the other. If the list hasn't been
    /// read yet, a command reads it first. Saving follows automatically, and its result is reported by
    /// ``State/saving``.
    public enum Command: Relux.Effect {
        /// The result of the command.
        public typealias Output = Outcome

        /// Adds an item. A blank title adds nothing.
        case add(title: String, Placement)
        /// Starts a draft. An existing draft is committed first.
        case startDraft(Placement)
        /// Turns the draft into an item, or drops it if it is blank.
        case commitDraft
        /// Completes active items: either all of them or, if one can't be completed, none.
        case complete([Reference])
        /// Reopens completed items: either all of them or, if one can't be reopened, none.
        case reopen([Reference])
        /// Renames an active item. A blank title deletes it.
        case rename(Reference, title: String)
        /// Moves an active item to a position among the active ones. Positions start at 1.
        case move(Reference, position: Int)

        /// Moves an active item past the next item that matches the filter, and past all items in between that don't.
        /// If there is no such item in that direction, nothing happens.
        case step(Item.ID, Direction)

        /// Deletes items, including completed ones: either all of them or, if one can't be found, none.
        case delete([Reference])

        /// Deletes those of the given items that are still on the list and still completed: the items that the user was
        /// asked about, and none that were added since. Items of another list are ignored.
        case clearAsked([Item])

        /// Deletes those of the given items that are still on the list: the items that the user was asked about, and
        /// none that were added since. Items of another list are ignored.
        case deleteAsked([Item])

        /// Completes the active items of the selection or, if none is active, reopens all of them. If nothing is
        /// selected, it does the same to the given item.
        case turnSelection(or: Item.ID)

        /// Undoes the last command that changed the list, except for what was changed elsewhere since.
        ///
        /// Two programs that share a history and undo at the same moment may undo the same step.
        case undo

        /// Redoes the last undone step, except for what was changed elsewhere since. After another change there is
        /// nothing to redo.
        case redo

        /// Does nothing. Performing it returns when all earlier commands have been carried out.
        case catchUp
    }

    /// The result of a command.
    public enum Outcome: Sendable, Equatable {
        /// An item was added.
        case added(Item)
        /// A draft was started.
        case drafted(Draft)
        /// These items were changed. They are given in their current versions, each once, in the order of the command.
        case changed([Item])
        /// These items were deleted. The array is empty if there was nothing to delete.
        case deleted([Item])
        /// A blank title or draft was dropped.
        case dropped

        /// The last step was undone. If everything in it was changed elsewhere since, nothing was undone, and the step
        /// is discarded.
        case undone(Reversal)

        /// The last undone step was redone. If everything in it was changed elsewhere since, nothing was redone, and
        /// the step is discarded.
        case redone(Reversal)
    }
}

/// Why a command was rejected or could not be carried out.
public enum ItemsError: Error, Equatable {
    /// No item matches this reference.
    case unknown(String)
    /// A reference is neither a position nor long enough to be a prefix of an id.
    case tooShort(String)
    /// More than one item matches this reference.
    case ambiguous(String, candidates: [Item])
    /// The item is completed and can't be moved, renamed, or completed until it is reopened.
    case completed(Item)
    /// The item is active and can't be reopened.
    case active(Item)
    /// The position doesn't exist. Positions range from 1 to this count.
    case noPosition(Int, count: Int)
    /// The list can't be read, so the command can't be decided.
    case notLoaded(StorageError)
    /// The imported text can't be read any further. Everything before that has been saved.
    case notImported(StorageError)
    /// A batch of an import could not be saved. The batches before it have been saved.
    case notSaved(StorageError)
    /// There is no step to undo.
    case nothingToUndo
    /// There is no step to redo: none was undone, or something else has been done since.
    case nothingToRedo
    /// The history can't be read, so nothing can be undone or redone. The list is unchanged.
    case noHistory(StorageError)
}
