public import SampleServices

extension Items {
    /// The selection among the displayed items.
    ///
    /// Items are selected by id. They therefore stay selected when they are moved, completed, or renamed, here or
    /// elsewhere. Only displayed items can be selected: an item that is removed, or hidden by a filter, is deselected,
    /// so that no command affects what the user can't see.
    ///
    /// A front end keeps its own position in the list, which may be on an unselected item. Every selecting action names
    /// the items concerned, so the two positions need not agree. The cursor of the selection is only the end of the
    /// range selected last.
    ///
    /// - Anchor and cursor: Selecting or toggling one item moves both there. A range extends from the anchor to the
    ///   cursor. Extending it moves only the cursor, and keeps what was selected separately. If the item of either one
    ///   is removed, the position passes to the next remaining item, or else to the previous one, without selecting it.
    public struct Selection: Sendable, Equatable {
        /// A user's change of the selection. Actions that name an item that isn't displayed have no effect.
        public enum Action: Sendable, Equatable {
            /// Selects only this item, like a click.
            case picked(Item.ID)

            /// Selects everything from the anchor to this item, in place of the previous range and in addition to
            /// separately selected items, like a click with Shift. Without an anchor it acts like ``picked(_:)``.
            case extended(to: Item.ID)

            /// Selects everything from one item to another, like an arrow key with Shift in a front end that knows the
            /// user's position. If the first item is selected and is the cursor, the range that ends there is extended
            /// or shortened. Otherwise a new range starts there, in addition to the current selection.
            case ranged(from: Item.ID, to: Item.ID)

            /// Selects this item in addition, or deselects it if it was selected, like a click with Command.
            case toggled(Item.ID)

            /// Selects the item at a distance from the cursor, downwards or, if negative, upwards, and at most the
            /// first or last item. If `extending`, it selects the range up to that item, like an arrow key with Shift.
            /// Without a cursor, the target is the first item or, for a negative distance, the last one.
            case stepped(by: Int, extending: Bool)

            /// Selects all displayed items.
            case all
            /// Deselects everything. The cursor is kept.
            case none
        }

        /// The ids of the selected items.
        public private(set) var ids: Set<Item.ID> = []

        /// The item at which ranges start.
        public private(set) var anchor: Item.ID?

        /// The item at which the last range ends.
        public private(set) var cursor: Item.ID?

        /// The items that stay selected when the range from the anchor to the cursor changes.
        private var others: Set<Item.ID> = []

        /// Creates an empty selection.
        public init() {}

        /// Whether nothing is selected.
        public var isEmpty: Bool { ids.isEmpty }

        /// Returns whether an item is selected.
        public func contains(_ id: Item.ID) -> Bool { ids.contains(id) }

        /// The selection as ranges of indexes: ascending, not empty, and separated by at least one unselected item.
        ///
        /// - Complexity: O(*n*) in the number of items.
        public func ranges(in items: [Item]) -> [Range<Int>] {
            var ranges: [Range<Int>] = []
            guard !isEmpty else { return ranges }
            for (index, item) in items.enumerated() where ids.contains(item.id) {
                if let last = ranges.last, last.upperBound == index {
                    ranges[ranges.count - 1] = last.lowerBound..<index + 1
                } else {
                    ranges.append(index..<index + 1)
                }
            }
            return ranges
        }
    }
}

extension Items.Selection {
    /// Whether there is nothing to update when the list changes.
    var isBlank: Bool { ids.isEmpty && anchor == nil && cursor == nil }

    /// Applies a user's change.
    ///
    /// - Complexity: O(*n*) in the number of displayed items.
    mutating func reduce(_ action: Action, in shown: [Item.ID]) {
        switch action {
        case .picked(let id): if shown.contains(id) { pick(id) }
        case .extended(let id): extend(to: id, in: shown)
        case .ranged(let start, let end):
            guard shown.contains(start), shown.contains(end) else { return }
            if anchor == nil || cursor != start || !ids.contains(start) { (others, anchor) = (ids, start) }
            extend(to: end, in: shown)
        case .toggled(let id):
            guard shown.contains(id) else { return }
            if ids.remove(id) == nil { ids.insert(id) }
            others = ids.subtracting([id])
            (anchor, cursor) = (id, id)
        case .stepped(let count, let isExtending):
            guard let target = target(of: count, in: shown) else { return }
            if isExtending { extend(to: target, in: shown) } else { pick(target) }
        case .all:
            ids = Set(shown)
            others = ids
        case .none: (ids, others, anchor) = ([], [], cursor)
        }
    }

    /// Removes items that are no longer displayed.
    ///
    /// - Complexity: O(*n*) in the number of items of both.
    mutating func follow(from former: [Item.ID], to shown: [Item.ID]) {
        let staying = Set(shown)
        ids.formIntersection(staying)
        others.formIntersection(staying)
        // A range whose anchor is gone can no longer be moved, so it becomes part of the fixed selection.
        if let anchor, !staying.contains(anchor) { others = ids }
        anchor = anchor.flatMap { Self.heir(of: $0, in: former, staying) }
        cursor = cursor.flatMap { Self.heir(of: $0, in: former, staying) }
    }

    private mutating func pick(_ id: Item.ID) {
        (ids, others, anchor, cursor) = ([id], [], id, id)
    }

    private mutating func extend(to id: Item.ID, in shown: [Item.ID]) {
        guard let target = shown.firstIndex(of: id) else { return }
        guard let anchor, let start = shown.firstIndex(of: anchor) else { return pick(id) }
        ids = others.union(shown[min(start, target)...max(start, target)])
        cursor = id
    }

    private func target(of count: Int, in shown: [Item.ID]) -> Item.ID? {
        guard let cursor, let index = shown.firstIndex(of: cursor) else { return count < 0 ? shown.last : shown.first }
        let (sum, isTooMuch) = index.addingReportingOverflow(count)
        if isTooMuch { return count < 0 ? shown.first : shown.last }
        return shown[min(max(sum, 0), shown.count - 1)]
    }

    /// The item itself, or else the next remaining item, or else the previous one.
    private static func heir(of id: Item.ID, in former: [Item.ID], _ staying: Set<Item.ID>) -> Item.ID? {
        if staying.contains(id) { return id }
        guard let index = former.firstIndex(of: id) else { return nil }
        return former[index...].first(where: staying.contains) ?? former[..<index].last(where: staying.contains)
    }
}
