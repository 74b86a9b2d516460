public import SampleServices

extension Items {
    /// The effect of undoing or redoing a step on a list.
    public struct Reversal: Sendable, Equatable {
        /// Existing items that were changed, in their current versions, in the order of the list.
        public let changed: [Item]

        /// Items that were restored, in the order of the list.
        public let restored: [Item]

        /// Items that were removed, in their last versions, in the order in which they were listed.
        public let removed: [Item]

        /// The number of items that were kept because they were changed elsewhere since.
        public let overtaken: Int

        /// The changes, item by item.
        let changes: [ItemsStep.Change]

        /// Whether nothing is left to undo or redo, because everything was changed elsewhere since.
        public var isEmpty: Bool { changes.isEmpty }

        /// All affected items in the order of the list, including the removed ones at their former positions.
        public var items: [Item] { (changed + restored + removed).sorted(by: List.standsAbove) }

        init(_ changes: [ItemsStep.Change], overtaken: Int) {
            self.changes = changes
            self.overtaken = overtaken
            changed = changes.compactMap { $0.before == nil ? nil : $0.after }.sorted(by: List.standsAbove)
            restored = changes.compactMap { $0.before == nil ? $0.after : nil }.sorted(by: List.standsAbove)
            removed = changes.compactMap { $0.after == nil ? $0.before : nil }.sorted(by: List.standsAbove)
        }
    }
}
