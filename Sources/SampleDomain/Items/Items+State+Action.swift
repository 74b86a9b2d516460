public import Foundation
public import Relux
public import SampleServices

extension Items.State {
    /// What happens to a list. Ids and dates come with the action, so that reducing it is pure.
    ///
    /// The reducer ignores what can't be: a change of an item that isn't there, a move of a completed one. Who wants
    /// to be told performs an ``Items/Command``.
    public enum Action: Relux.Action, Equatable {
        /// The list was read.
        case loaded(ItemsSnapshot)
        /// The list could not be read.
        case loadFailed(ItemsServiceError)
        /// Nobody wants to know any more.
        case loadCancelled

        /// Changes are on their way to the service.
        case saveStarted
        /// The service has saved these changes, and holds this now.
        case saved([ItemChange], ItemsSnapshot)
        /// The service could not save.
        case saveFailed(ItemsServiceError)
        /// The save was given up.
        case saveCancelled

        /// Somebody else has changed the list.
        case changedElsewhere(ItemsSnapshot)
        /// What somebody else has done can't be read.
        case elsewhereFailed(ItemsServiceError)

        /// A draft was begun. One that isn't blank is kept instead.
        case draftStarted(Items.Draft)
        /// The title of the draft was written so far.
        case draftEdited(String)
        /// The draft was finished: it becomes an item, or goes where it is blank.
        case draftCommitted(at: Date)
        /// The draft was thrown away.
        case draftDropped

        /// An item was added. A blank title adds nothing.
        case added(Item.ID, title: String, Items.Placement, at: Date)
        /// Active items were completed.
        case completed([Item.ID], at: Date)
        /// Completed items were reopened; each stands where its order puts it.
        case reopened([Item.ID], at: Date)
        /// An active item got another title. A blank one deletes it.
        case renamed(Item.ID, title: String, at: Date)
        /// An active item was moved to an index among the active ones; beyond the ends is at the end.
        case moved(Item.ID, to: Int, at: Date)
        /// Items were deleted.
        case deleted([Item.ID])

        /// The user has chosen other items.
        case selected(Items.Selection.Action)
        /// Only items with these words in their titles are to be shown; all if there is no word.
        case filtered(String)

        /// This import has begun.
        case importBegan(Items.Import.ID)
        /// A batch of lines became items at the end of the active ones; so many lines were blank. A batch before it
        /// that isn't saved counts as saved.
        case imported([Items.Addition], blank: Int, fraction: Double?, at: Date)
        /// The last batch of this import is saved. Where another one has begun since, that is no concern of it.
        case importSaved(Items.Import.ID)
        /// The import is over, and all that it has done is a step with this id. A batch that couldn't be saved goes off
        /// the list again.
        case importEnded(ItemsStep.ID)

        /// The items of the tutorial were added, as far as they aren't there. Where somebody has asked for them they
        /// belong to the step that is being made; else they are no step: nobody has done anything yet.
        case taught([Items.Addition], wasAskedFor: Bool, at: Date)

        /// A step is complete: what was changed since the last one is undone at once, under this id. It belongs into
        /// one batch with the changes; where something comes from the service before it, they can't be undone.
        case stepped(ItemsStep.ID)
        /// A step was undone. One that isn't there to undo any more stays.
        case undone(ItemsStep.ID, at: Date)
        /// A step was redone. One that isn't there to redo any more stays.
        case redone(ItemsStep.ID, at: Date)

        /// The history was read.
        case historyLoaded(ItemsHistory)
        /// The service has saved what happened to the history, and holds this now.
        case historySaved([ItemsHistory.Change], ItemsHistory)
        /// The history could not be read or saved.
        case historyFailed(ItemsServiceError)
    }
}
