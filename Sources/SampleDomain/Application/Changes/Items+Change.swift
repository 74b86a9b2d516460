public import SampleServices

extension Items {
    /// What makes one list different from another, about one item.
    public enum Change: Sendable, Equatable {
        /// It is new, or back.
        case added(Item)

        /// It is called something else now.
        case renamed(Item, from: String)

        /// It is done now. That may be anew, where the reopening went by unseen.
        case completed(Item)

        /// It is active again.
        case reopened(Item)

        /// It was taken to another place among the active ones. The positions are counted from 1, each in its list.
        case moved(Item, from: Int, to: Int)

        /// It is gone. This is how it was.
        case deleted(Item)

        /// The item, as it is now or, if it is gone, was.
        public var item: Item {
            switch self {
            case .added(let item), .renamed(let item, _), .completed(let item), .reopened(let item),
                .moved(let item, _, _), .deleted(let item):
                item
            }
        }
    }
}
