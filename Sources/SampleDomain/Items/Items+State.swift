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

        /// Why changes made elsewhere can't be seen at present, or nil.
        public internal(set) var elsewhereFailure: ItemsServiceError?

        /// What the service holds of the items that aren't saved: the version that it knows, nil for none.
        var bases: [Item.ID: Item?] = [:]

        /// The revision of the newest snapshot taken in; older ones are ignored.
        var revision: Int?

        /// Makes an empty state.
        public init() {}

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
