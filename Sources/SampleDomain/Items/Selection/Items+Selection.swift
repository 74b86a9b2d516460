public import SampleServices

extension Items {
    /// The selection among the displayed items.
    ///
    /// Items are selected by id. They therefore stay selected when they are moved, completed, or renamed, here or
    /// elsewhere. Only displayed items can be selected: an item that is removed, or hidden by a filter, is deselected,
    /// so that no command affects what the user can't see.
    ///
    /// A front end keeps its own position in the list, which may be on an unselected item. Every selecting action names
    /// the items concerned, so the two can't contradict each other.
    public struct Selection: Sendable, Equatable {
        /// A user's change of the selection. Actions that name an item that isn't displayed have no effect.
        public enum Action: Sendable, Equatable {
            /// Selects this item in addition, or deselects it if it was selected.
            case toggled(Item.ID)

            /// Selects everything from one item to another, like an arrow key with Shift. If the last change ended at
            /// the first item and selected it, its range is extended or shortened. Otherwise a new range starts there,
            /// in addition to the current selection.
            case ranged(from: Item.ID, to: Item.ID)

            /// Deselects everything.
            case none
        }

        /// The ids of the selected items.
        public private(set) var ids: Set<Item.ID> = []

        /// The last range: the items at which it starts and ends.
        struct Span: Sendable, Equatable {
            let anchor: Item.ID
            let end: Item.ID
        }

        /// The last range, or nil if there is none or one of its ends is gone.
        private(set) var range: Span?

        /// The items that stay selected when that range changes.
        private var others: Set<Item.ID> = []

        /// Creates an empty selection.
        public init() {}

        /// Whether nothing is selected.
        public var isEmpty: Bool { ids.isEmpty }

        /// Returns whether an item is selected.
        public func contains(_ id: Item.ID) -> Bool { ids.contains(id) }
    }
}

extension Items.Selection {
    /// Applies a user's change.
    ///
    /// - Complexity: O(*n*) in the number of displayed items.
    mutating func reduce(_ action: Action, in shown: [Item.ID]) {
        switch action {
        case .toggled(let id):
            guard shown.contains(id) else { return }
            if ids.remove(id) == nil { ids.insert(id) }
            (others, range) = (ids.subtracting([id]), Span(anchor: id, end: id))
        case .ranged(let start, let end):
            guard shown.contains(start), let last = shown.firstIndex(of: end) else { return }
            if range?.end != start || !ids.contains(start) { (others, range) = (ids, Span(anchor: start, end: start)) }
            guard let anchor = range?.anchor, let first = shown.firstIndex(of: anchor) else { return }
            ids = others.union(shown[min(first, last)...max(first, last)])
            range = Span(anchor: anchor, end: end)
        case .none: self = Items.Selection()
        }
    }

    /// Removes items that are no longer displayed. A range that has lost one of its ends can no longer be changed.
    ///
    /// - Complexity: O(*n*) in the number of displayed items.
    mutating func follow(_ shown: [Item.ID]) {
        let staying = Set(shown)
        ids.formIntersection(staying)
        others.formIntersection(staying)
        if let range, !staying.isSuperset(of: [range.anchor, range.end]) { (self.range, others) = (nil, ids) }
    }
}
