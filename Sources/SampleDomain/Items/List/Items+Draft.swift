public import SampleServices

extension Items {
    /// A future item whose title is still being written. It isn't part of any list and is therefore never saved.
    public struct Draft: Sendable, Equatable, Identifiable {
        /// The id of the future item.
        public let id: Item.ID

        /// The position at which the item will be added.
        public let placement: Placement

        /// The title written so far.
        public internal(set) var title = ""

        /// Whether the title is blank, so that no item can be made of it.
        public var isBlank: Bool { title.titleTrimmed.isEmpty }
    }

    /// The position of a new item.
    public enum Placement: Sendable, Equatable {
        /// Below the last active item.
        case end
        /// Above the first active item.
        case top
    }
}

extension String {
    /// The text without surrounding white space, the form in which titles are stored.
    public var titleTrimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
