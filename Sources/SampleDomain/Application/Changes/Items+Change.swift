public import SampleServices

extension Items {
    /// One difference between two lists, concerning a single item.
    public enum Change: Sendable, Equatable {
        /// The item is new or was restored.
        case added(Item)

        /// The item has a new title.
        case renamed(Item, from: String)

        /// The item was completed, possibly again if its reopening wasn't observed.
        case completed(Item)

        /// The item is active again.
        case reopened(Item)

        /// The item was moved among the active ones. Positions start at 1, each in its own list.
        case moved(Item, from: Int, to: Int)

        /// The item is gone. The value is its last version.
        case deleted(Item)

        /// The current version of the item, or its last version if it is gone.
        public var item: Item {
            switch self {
            case .added(let item), .renamed(let item, _), .completed(let item), .reopened(let item),
                .moved(let item, _, _), .deleted(let item):
                item
            }
        }
    }
}
