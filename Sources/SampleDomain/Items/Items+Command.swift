public import Relux
public import SampleServices

extension Items {
    /// What a user wants done with the list.
    ///
    /// To perform one returns as soon as the change is on the list, and throws an ``ItemsError`` where the rules don't
    /// allow it; then nothing has changed. Commands are carried out one after the other. Where the list hasn't been
    /// read yet, that comes first. Saving follows by itself, and how it went is told by ``State/saving``.
    public enum Command: Relux.Effect {
        /// What became of the command.
        public typealias Output = Outcome

        /// Adds an item. A blank title adds nothing.
        case add(title: String, Placement)

        /// Begins a draft. One that is there already is committed first.
        case startDraft(Placement)

        /// Makes an item of the draft, or drops it where it is blank.
        case commitDraft

        /// Completes active items: all of them or, where one can't be, none.
        case complete([Reference])

        /// Makes completed items active again: all of them or, where one can't be, none.
        case reopen([Reference])

        /// Gives an active item another title. A blank one deletes it.
        case rename(Reference, title: String)

        /// Puts an active item at a position among the active ones, counted from 1.
        case move(Reference, position: Int)

        /// Moves an active item over the next one that the filter finds, and over all between the two that it doesn't.
        /// Where there is none left in that direction nothing happens.
        case step(Item.ID, Direction)

        /// Deletes items, completed ones too: all of them or, where one can't be found, none.
        case delete([Reference])

        /// Deletes all completed items that are on the list, as it is known here. What others complete at the same
        /// moment stays.
        case clearCompleted

        /// Deletes all items that are on the list, as it is known here, completed ones too. What others add at the same
        /// moment stays.
        case deleteAll

        /// Deletes those of these items that are still on the list and still completed: what somebody was asked about,
        /// and nothing that has come since. Items of another list do nothing.
        case clearAsked([Item])

        /// Deletes those of these items that are still on the list: what somebody was asked about, and nothing that has
        /// come since. Items of another list do nothing.
        case deleteAsked([Item])

        /// Completes the active ones among the selected items.
        case completeSelection

        /// Makes the completed ones among the selected items active again.
        case reopenSelection

        /// Deletes the selected items.
        case deleteSelection

        /// Completes the active ones among the selected items or, where none is active, makes them active again. Where
        /// nothing is selected it does so to this item.
        case turnSelection(or: Item.ID)

        /// Takes back the last command that changed the list, but nothing that others have changed since.
        ///
        /// Two programs that share a history and undo at the same moment may take back the same step.
        case undo

        /// Does again what was undone last, but changes nothing that others have changed since. After another change
        /// there is nothing to redo.
        case redo

        /// Does nothing. To perform it returns when all commands that were given before it have been carried out.
        case catchUp
    }

    /// What became of a command.
    public enum Outcome: Sendable, Equatable {
        /// There is a new item.
        case added(Item)

        /// There is a draft to write.
        case drafted(Draft)

        /// These items are as they are now, each once, in the order of the command.
        case changed([Item])

        /// These items are gone. Where there was nothing to clear, they are none.
        case deleted([Item])

        /// There was nothing to make an item of.
        case dropped

        /// The last step was undone. Where nothing of it was left to take back, nothing was, and the step is forgotten.
        case undone(Reversal)

        /// The step undone last was redone. Where others have changed all of it, nothing was, and it is forgotten.
        case redone(Reversal)
    }
}
