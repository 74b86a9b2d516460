public import SampleServices

/// Why the rules of a list don't allow a command.
public enum ItemsError: Error, Equatable {
    /// No item is meant by this.
    case unknown(String)

    /// More than one item is meant by this.
    case ambiguous(String, candidates: [Item])

    /// The item is completed, and can be neither moved nor edited nor completed until it is reopened.
    case completed(Item)

    /// The item is active, so there is nothing to reopen.
    case active(Item)

    /// There is no such position; they go from 1 to this count.
    case noPosition(Int, count: Int)

    /// The list can't be read, so nothing can be decided about it.
    case notLoaded(ItemsServiceError)

    /// No selected item can be changed like that.
    case nothingSelected

    /// The text that is imported can't be read any further. What was read before is saved.
    case notImported(TextLinesError)

    /// A batch of an import could not be saved. What came before is.
    case notSaved(ItemsServiceError)

    /// No step is left to undo.
    case nothingToUndo

    /// No step was undone, or something else has been done since.
    case nothingToRedo

    /// The history of the list can't be read, so nothing can be undone or redone. The list is as it was.
    case noHistory(ItemsServiceError)
}
