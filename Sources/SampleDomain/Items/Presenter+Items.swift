import Foundation
public import SampleServices

extension Items {
    /// The list to show.
    public struct Listing: Sendable, Hashable {
        /// One item.
        public struct Row: Sendable, Hashable, Identifiable {
            /// The identity of the item.
            public let id: Item.ID
            /// Its number, counted from 1 through the whole list.
            public let number: Int
            /// Its title.
            public let title: String
            /// The details: when it was completed.
            public let details: String
            /// Whether it is completed.
            public let isDone: Bool
            /// Whether it is selected.
            public let isSelected: Bool
        }

        /// The active items.
        public let active: [Row]
        /// The completed items.
        public let completed: [Row]
        /// The text by which the items are filtered.
        public let filter: String
        /// The number of items that the filter hides.
        public let hidden: Int

        /// All shown rows.
        public var rows: [Row] { active + completed }

        /// The rows that a command concerns: the selected ones, or else one.
        public func concerned(or id: Item.ID) -> [Row] {
            let selected = rows.filter(\.isSelected)
            return selected.isEmpty ? rows.filter { $0.id == id } : selected
        }
    }
}

extension Presenter {
    /// Returns the list to show.
    public func listing(of list: Items.List, _ selection: Items.Selection = Items.Selection()) -> Items.Listing {
        let rows = list.items.enumerated().map { index, item in
            Items.Listing.Row(
                id: item.id, number: index + 1, title: item.title, details: item.completed.map(date) ?? "",
                isDone: item.completed != nil, isSelected: selection.ids.contains(item.id)
            )
        }
        let shown = rows.filter { selection.filter.isEmpty || $0.title.localizedStandardContains(selection.filter) }
        return Items.Listing(
            active: shown.filter { !$0.isDone }, completed: shown.filter(\.isDone), filter: selection.filter,
            hidden: rows.count - shown.count
        )
    }
}
