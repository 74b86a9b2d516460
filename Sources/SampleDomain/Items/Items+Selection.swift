public import Relux
public import SampleServices

extension Items {
    /// The selection, and which items are shown. It isn't saved, and not part of the history.
    public struct Selection: Relux.State, Hashable, Codable {
        /// A change of the selection.
        public enum Action: Relux.Action, Hashable, Codable {
            /// Selects an item, or deselects it.
            case toggled(Item.ID)
            /// Selects more items.
            case extended([Item.ID])
            /// Selects nothing.
            case cleared
            /// Shows only items with a text in their titles, or all if it is empty.
            case filtered(String)
            /// The items that are left on the list. The others leave the selection.
            case kept(Set<Item.ID>)
        }

        /// The selected items, by identity, so that they stay selected wherever they move.
        public private(set) var ids: Set<Item.ID> = []

        /// The text that shown items have in their titles.
        public private(set) var filter = ""

        /// Creates an empty selection, with all items shown.
        public init() {}

        /// Reduces an action.
        public mutating func reduce(_ action: Action) {
            switch action {
            case .toggled(let id): if ids.remove(id) == nil { ids.insert(id) }
            case .extended(let more): ids.formUnion(more)
            case .cleared: ids = []
            case .filtered(let text): filter = text
            case .kept(let left): ids.formIntersection(left)
            }
        }
    }
}
