public import Relux
public import SampleServices

extension Items {
    /// The list, and which of its changes are not saved yet.
    public struct State: Relux.State {
        /// The items with all of the user's changes, saved or not.
        public internal(set) var list = List()

        /// The item that is being written, or nil.
        public internal(set) var draft: Draft?

        /// Whether the list has been read. Until then, commands read it first.
        public internal(set) var isLoaded = false

        /// The progress of reading.
        public internal(set) var loading: StorageProgress = .idle

        /// The progress of saving.
        public internal(set) var saving: StorageProgress = .idle

        /// The selection among the ``shown`` items.
        public internal(set) var selection = Selection()

        /// The filter that decides which items are ``shown``.
        public internal(set) var filter = Query()

        /// The items that match the filter, cached so that the filter is evaluated only when the list or the filter
        /// changes. Without a filter it is empty, and ``shown`` is the list itself.
        var narrowed = List()

        /// The progress of the last import, or nil if there has been none.
        public internal(set) var importing: ImportProgress?

        /// Why changes made elsewhere currently can't be received, or nil.
        public internal(set) var elsewhereFailure: StorageError?

        /// The steps that led to the list, for ``Items/Command/undo`` and ``Items/Command/redo``.
        ///
        /// `Relux.Undoable` doesn't fit here: it restores an earlier state as a whole, and would undo what other
        /// processes have changed since. A step therefore consists of the changes to individual items, and undoing it
        /// is one more change, merged and saved like any other. Otherwise it keeps the promises of `Undoable`.
        public internal(set) var history = ItemsHistory()

        /// Why the history currently can't be read or saved, or nil. The list is not affected.
        public internal(set) var historyFailure: StorageError?

        /// The history that couldn't be read when a step was to be saved, or nil. Earlier steps exist only there.
        public internal(set) var formerHistory: FormerHistory?

        /// Whether a service stores the history.
        let isHistoryKept: Bool

        /// Whether the history has been read. If it is stored, undoing reads it first.
        var isHistoryLoaded = false

        /// The changes of the history that haven't been saved.
        var unsavedHistory: [ItemsHistory.Change] = []

        /// The current step: the former version of each item that has changed since the last step.
        var openStep: List.Formers = [:]

        /// The id of the import that started last.
        var importID: Import.ID?

        /// The changes of the running import, batch by batch. They form a separate step with the id of the import,
        /// whatever else happens in the meantime. It is recorded with every batch.
        var importStep: [ItemsStep.Change] = []

        /// The items of the import's last batch, until they are known to be saved.
        var importBatch: [Item.ID] = []

        /// The stored version of each item with unsaved changes, or nil for an item that isn't stored.
        var bases: [Item.ID: Item?] = [:]

        /// The revision of the newest snapshot received. Older snapshots are ignored.
        var revision: Int?

        /// Creates an empty state.
        public init(isHistoryKept: Bool = false) {
            self.isHistoryKept = isHistoryKept
        }

        /// Whether there are unsaved changes, including deletions.
        public var hasUnsavedChanges: Bool { !bases.isEmpty }

        /// Returns whether an item has unsaved changes.
        public func isUnsaved(_ id: Item.ID) -> Bool { bases.keys.contains(id) }

        /// The changes to save, in the order of the list, with deletions last.
        ///
        /// - Complexity: O(*n*) in the number of items, if any is unsaved.
        public var unsavedChanges: [ItemChange] {
            guard hasUnsavedChanges else { return [] }
            let changed = [list.active, list.completed].flatMap { items in
                items.compactMap { item in
                    bases[item.id].map { base in base.map { .update(from: $0, to: item) } ?? ItemChange.insert(item) }
                }
            }
            if changed.count == bases.count { return changed }
            let kept = Set(changed.map(\.id))
            return changed + bases.keys.filter { !kept.contains($0) }.sorted().map(ItemChange.delete)
        }
    }
}

extension Items.State {
    /// The items that every front end displays: those that match the filter, or all items if there is no filter.
    ///
    /// - Complexity: O(1), because the result of the filter is cached.
    public var shown: Items.List { filter.isEmpty ? list : narrowed }

    /// The selected items, in the order of the list.
    ///
    /// - Complexity: O(*n*) in the number of items, if any is selected.
    public var selectedItems: [Item] {
        selection.isEmpty ? [] : shown.all.filter { selection.contains($0.id) }
    }

    /// Changes the list or the filter, and updates the displayed items and the selection accordingly.
    mutating func keepingShown(_ change: (inout Items.State) -> Void) {
        guard !filter.isEmpty || !selection.isEmpty else {
            // Without another reference to the list, it is changed in place.
            change(&self)
            narrowed = filter.isEmpty ? Items.List() : filter.narrowed(list)
            return
        }
        let (former, formerFilter) = (list, filter)
        change(&self)
        guard former != list || formerFilter != filter else { return }
        narrowed = filter.isEmpty ? Items.List() : filter.narrowed(list)
        if !selection.isEmpty { selection.follow(shown.ids) }
    }
}
