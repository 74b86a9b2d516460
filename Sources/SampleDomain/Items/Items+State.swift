public import Relux
public import SampleServices

extension Items {
    /// What is on the list, and what of it is not saved yet.
    public struct State: Relux.State {
        /// The items as the user has left them, saved or not.
        public internal(set) var list = List()

        /// The item that is being written, if any.
        public internal(set) var draft: Draft?

        /// Whether the list has been read. Before that, commands read it first.
        public internal(set) var isLoaded = false

        /// How far reading is.
        public internal(set) var loading: Progress = .idle

        /// How far saving is.
        public internal(set) var saving: Progress = .idle

        /// Which items are chosen, among those that are ``shown``.
        public internal(set) var selection = Selection()

        /// What the titles of the items have to have in them to be ``shown``.
        public internal(set) var filter = Query()

        /// What the filter leaves of the list, so that it is looked through only where one of them changes. Without a
        /// filter it is empty, and ``shown`` is the list itself.
        var narrowed = List()

        /// How far the last import is; nil where there has been none.
        public internal(set) var importing: ImportProgress?

        /// Why changes made elsewhere can't be seen at present, or nil.
        public internal(set) var elsewhereFailure: ItemsServiceError?

        /// The steps that led to the list, for ``Items/Command/undo`` and ``Items/Command/redo``.
        ///
        /// It is no `Relux.Undoable`, because that goes back to an earlier state as a whole. Of a list that is merged
        /// with what other processes do, an earlier state is without their changes, and to restore it would undo these
        /// too; `restore(_:)` gets only the state to go back to, and not the one that the step led to, so it can't tell
        /// the step's changes from theirs. And a history that is kept in a file and written by several processes can't
        /// consist of whole lists. So a step is here what it changed, item by item, and undoing it is one more change,
        /// merged and saved like any other. What `Undoable` promises holds: steps are bounded in number, an action that
        /// changes nothing makes none, and a new step forgets what was undone.
        public internal(set) var history = ItemsHistory()

        /// Why the history can't be read or saved at present, or nil. The list is safe all the same.
        public internal(set) var historyFailure: ItemsServiceError?

        /// Whether the history is kept anywhere but here.
        let isHistoryKept: Bool

        /// Whether the history has been read. Where it is kept, undoing reads it first.
        var isHistoryLoaded = false

        /// What happened to the history and isn't saved.
        var unsavedHistory: [ItemsHistory.Change] = []

        /// The step that is being made: each item that has been changed since the last one, as it was.
        var openStep: List.Formers = [:]

        /// Which import began last.
        var importID: Import.ID?

        /// What the import that is going on has done, batch by batch. It is a step of its own, whatever else is done
        /// meanwhile.
        var importStep: [ItemsStep.Change] = []

        /// The items of the import's last batch, as long as they aren't known to be saved.
        var importBatch: [Item.ID] = []

        /// What the service holds of the items that aren't saved: the version that it knows, nil for none.
        var bases: [Item.ID: Item?] = [:]

        /// The revision of the newest snapshot taken in; older ones are ignored.
        var revision: Int?

        /// Makes an empty state.
        ///
        /// - Parameter isHistoryKept: Whether a service keeps the history. The default is false.
        public init(isHistoryKept: Bool = false) {
            self.isHistoryKept = isHistoryKept
        }

        /// Whether anything isn't saved, a deletion included.
        public var hasUnsavedChanges: Bool { !bases.isEmpty }

        /// Whether an item has changes that aren't saved.
        ///
        /// - Parameter id: The id of the item.
        /// - Returns: Whether it has.
        public func isUnsaved(_ id: Item.ID) -> Bool { bases.keys.contains(id) }

        /// What has to be saved, in the order of the list; deletions last.
        ///
        /// - Complexity: O(*n*) in the number of items, if any is unsaved.
        public var unsavedChanges: [ItemChange] {
            guard hasUnsavedChanges else { return [] }
            let changed = list.all.compactMap { item in
                bases[item.id].map { base in base.map { .update(from: $0, to: item) } ?? ItemChange.insert(item) }
            }
            let kept = Set(changed.map(\.id))
            return changed + bases.keys.filter { !kept.contains($0) }.sorted().map(ItemChange.delete)
        }
    }
}
