public import SampleServices

extension Items {
    /// An item to be, whose title is still being written. It stands on no list, and so is never saved.
    public struct Draft: Sendable, Equatable, Identifiable {
        /// The id that the item will have.
        public let id: Item.ID

        /// Where the item will go.
        public let placement: Placement

        /// What has been written so far.
        public internal(set) var title: String

        /// Makes a draft.
        ///
        /// - Parameters:
        ///   - id: The id that the item will have.
        ///   - placement: Where the item will go.
        ///   - title: What has been written so far.
        public init(id: Item.ID, placement: Placement, title: String = "") {
            self.id = id
            self.placement = placement
            self.title = title
        }

        /// Whether there is nothing to make an item of.
        public var isBlank: Bool { title.titleTrimmed.isEmpty }
    }
}

extension String {
    /// The text without white space around it, as the title of an item is kept.
    public var titleTrimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
