public import SampleServices

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
    case notLoaded(ItemsServiceError)

    /// The command applies to none of the selected items.
    case nothingSelected

    /// The imported text can't be read any further. Everything before that has been saved.
    case notImported(TextLinesError)

    /// A batch of an import could not be saved. The batches before it have been saved.
    case notSaved(ItemsServiceError)

    /// There is no step to undo.
    case nothingToUndo

    /// There is no step to redo: none was undone, or something else has been done since.
    case nothingToRedo

    /// The history can't be read, so nothing can be undone or redone. The list is unchanged.
    case noHistory(ItemsServiceError)
}
