public import SampleServices

extension Items {
    /// What undoing a step does to a list, or redoing it.
    public struct Reversal: Sendable, Equatable {
        /// Items that were there and have changed, as they are now, in the order of the list.
        public let changed: [Item]

        /// Items that had gone and are back, in the order of the list.
        public let restored: [Item]

        /// Items that are gone, as they were, in the order in which they stood.
        public let removed: [Item]

        /// How many items stay as somebody else has left them since.
        public let overtaken: Int

        /// What it changes, item by item.
        let changes: [ItemsStep.Change]

        /// Whether nothing is left to take back: somebody else has changed all of it since.
        public var isEmpty: Bool { changes.isEmpty }

        /// The items concerned, in the order of the list: those that are gone as if they were still on it.
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
