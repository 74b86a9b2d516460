public import SampleServices

extension Items {
    /// A title that is to become an item, as one of many.
    public struct Addition: Sendable, Equatable, Identifiable {
        /// The id of the future item.
        public let id: Item.ID

        /// The title of the future item.
        public let title: String

        /// Creates an addition.
        ///
        /// - Parameter id: The id of the future item.
        public init(id: Item.ID, title: String) {
            self.id = id
            self.title = title
        }
    }
}
