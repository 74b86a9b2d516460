public import Foundation
public import Relux
public import SampleServices

extension Items.State {
    /// What happens to a list. Actions carry ids and dates, so that reducing them is pure.
    ///
    /// The reducer ignores impossible actions, such as changing a missing item or moving a completed one. To get an
    /// error instead, perform an ``Items/Command``.
    public enum Action: Relux.Action, Equatable {
        /// The list was read.
        case loaded(Snapshot<[Item]>)
        /// The list could not be read.
        case loadFailed(StorageError)
        /// Reading was cancelled.
        case loadCancelled
        /// The service started to save changes.
        case saveStarted
        /// The service saved these changes. The snapshot is what is stored now.
        case saved([ItemChange], Snapshot<[Item]>)
        /// The service could not save.
        case saveFailed(StorageError)
        /// Saving was cancelled.
        case saveCancelled
        /// The list was changed elsewhere.
        case changedElsewhere(Snapshot<[Item]>)
        /// Changes made elsewhere can't be read.
        case elsewhereFailed(StorageError)
        /// A draft was started. An existing draft that isn't blank is kept instead.
        case draftStarted(Items.Draft)
        /// The title of the draft was edited.
        case draftEdited(String)
        /// The draft was finished. It becomes an item, or is dropped if it is blank.
        case draftCommitted(at: Date)
        /// The draft was dropped.
        case draftDropped
        /// An item was added. A blank title adds nothing.
        case added(Item.ID, title: String, Items.Placement, at: Date)
        /// Active items were completed.
        case completed([Item.ID], at: Date)
        /// Completed items were reopened, each at the position given by its order.
        case reopened([Item.ID], at: Date)
        /// An active item was renamed. A blank title deletes it.
        case renamed(Item.ID, title: String, at: Date)
        /// An active item was moved to an index among the active ones. Indexes out of range are clamped.
        case moved(Item.ID, to: Int, at: Date)
        /// Items were deleted.
        case deleted([Item.ID])
        /// The user changed the selection.
        case selected(Items.Selection.Action)
        /// The filter was changed. Only items with these words in their titles are displayed, or all items if there are
        /// no words.
        case filtered(String)

        /// An import started.
        case importBegan(Items.Import.ID)
        /// A batch of lines was added as items after the active ones. They join the step that has the import's id.
        /// `blank` is the number of skipped blank lines. An earlier batch that isn't marked as saved now counts as
        /// saved.
        case imported([Items.Addition], blank: Int, at: Date)
        /// The last batch of this import was saved. The action is ignored if another import has started since.
        case importSaved(Items.Import.ID)
        /// The import ended. A batch that couldn't be saved is removed from the list and from the step.
        case importEnded

        /// A step is complete: everything changed since the last one is undone together, under this id. It must be in
        /// the same batch as the changes. If something arrives from the service in between, the changes can't be
        /// undone.
        case stepped(ItemsStep.ID)
        /// A step was undone. A step that is no longer available to undo is ignored.
        case undone(ItemsStep.ID, at: Date)
        /// A step was redone. A step that is no longer available to redo is ignored.
        case redone(ItemsStep.ID, at: Date)
        /// The history was read.
        case historyLoaded(ItemsHistory)
        /// The service saved these changes of the history. The second value is what is stored now.
        case historySaved([ItemsHistory.Change], ItemsHistory)
        /// The history could not be read or saved.
        case historyFailed(StorageError)
        /// A history that can't be read was set aside, and a new one begins.
        case historySetAside(Items.FormerHistory)
    }
}
