public import SampleServices

extension Items {
    /// An item to be made of a title, as one of many.
    public struct Addition: Sendable, Equatable, Identifiable {
        /// The id that the item will have.
        public let id: Item.ID

        /// What there is to do.
        public let title: String

        /// Makes an addition.
        ///
        /// - Parameters:
        ///   - id: The id that the item will have.
        ///   - title: What there is to do.
        public init(id: Item.ID, title: String) {
            self.id = id
            self.title = title
        }
    }
}
