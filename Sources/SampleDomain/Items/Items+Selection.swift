public import SampleServices

extension Items {
    /// Which of the items that are shown are chosen.
    ///
    /// It knows items by their ids, and so goes with them when they move, are completed or are renamed, by whomever.
    /// Only what is shown can be chosen: an item that goes, or that a filter hides, is chosen no longer, so that no
    /// command does anything to what nobody sees.
    ///
    /// A front end has its own place in the list, which may be on an item that isn't chosen; it says with every choice
    /// which items it is about. So the two need not agree: the cursor here is only where the range ends that was
    /// chosen last.
    ///
    /// - Anchor and cursor: Choosing one item, or toggling one, puts both there. A range goes from the anchor to the
    ///   cursor; only the cursor moves with it, and what was chosen beside it stays. Where one of the two goes off the
    ///   list it passes to the next item that stays, or the one before; that isn't chosen by it.
    public struct Selection: Sendable, Equatable {
        /// What a user does to choose items. What names an item that isn't shown does nothing.
        public enum Action: Sendable, Equatable {
            /// This item, and no other: a click.
            case picked(Item.ID)

            /// Everything from the anchor to this item, in place of the range before, besides what was chosen one by
            /// one: a click with shift. Without an anchor it is ``picked(_:)``.
            case extended(to: Item.ID)

            /// Everything from one item to another: an arrow key with shift, where the front end knows best where the
            /// user is. Where the first one is chosen and the cursor, the range goes on that ends there, and may become
            /// shorter; else a new one begins there, besides what is chosen.
            case ranged(from: Item.ID, to: Item.ID)

            /// This item too or, if it was chosen, no longer: a click with command.
            case toggled(Item.ID)

            /// The item so many places below the cursor, or above it for less than zero; at the ends the last one. With
            /// `extending` the range up to it: an arrow key, with shift. Without a cursor it is the first one, or the
            /// last one for less than zero.
            case stepped(by: Int, extending: Bool)

            /// All that are shown.
            case all

            /// None. The cursor stays.
            case none
        }

        /// The items that are chosen.
        public private(set) var ids: Set<Item.ID> = []

        /// Where ranges begin.
        public private(set) var anchor: Item.ID?

        /// Where the user is.
        public private(set) var cursor: Item.ID?

        /// What is chosen whatever becomes of the range from the anchor to the cursor.
        private var others: Set<Item.ID> = []

        /// Makes a selection of nothing.
        public init() {}

        /// Whether nothing is chosen.
        public var isEmpty: Bool { ids.isEmpty }

        /// Whether an item is chosen.
        ///
        /// - Parameter id: The id of the item.
        /// - Returns: Whether it is.
        public func contains(_ id: Item.ID) -> Bool { ids.contains(id) }

        /// The chosen items as ranges of places: in ascending order, none empty, and with at least one item that isn't
        /// chosen between any two.
        ///
        /// - Parameter items: The items that are shown, in their order.
        /// - Returns: The ranges of their indexes.
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
    /// Whether there is nothing to keep in step with the list.
    var isBlank: Bool { ids.isEmpty && anchor == nil && cursor == nil }

    /// Chooses as the user wants it.
    ///
    /// - Complexity: O(*n*) in the number of items that are shown.
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

    /// Gives up what is shown no longer.
    ///
    /// - Parameters:
    ///   - former: What was shown before.
    ///   - shown: What is shown now.
    /// - Complexity: O(*n*) in the number of items of both.
    mutating func follow(from former: [Item.ID], to shown: [Item.ID]) {
        let staying = Set(shown)
        ids.formIntersection(staying)
        others.formIntersection(staying)
        // What was a range can't be moved any more where it began or ended elsewhere.
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

    /// The item itself, or the next one that stays, or the one before.
    private static func heir(of id: Item.ID, in former: [Item.ID], _ staying: Set<Item.ID>) -> Item.ID? {
        if staying.contains(id) { return id }
        guard let index = former.firstIndex(of: id) else { return nil }
        return former[index...].first(where: staying.contains) ?? former[..<index].last(where: staying.contains)
    }
}
