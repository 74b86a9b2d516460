public import Foundation
public import SampleServices

extension Items {
    /// All items in display order, which every change preserves.
    ///
    /// - Complexity: Looking up or changing one item is O(*n*) in the number of items. So is changing many at once,
    ///   apart from sorting those that move. Reading is O(1).
    public struct List: Sendable, Hashable {
        /// The active items, in their order.
        public internal(set) var active: [Item]

        /// The completed items, most recently completed first.
        public internal(set) var completed: [Item]

        /// The previous version of each item that a change affected, or nil for a new item.
        typealias Formers = [Item.ID: Item?]

        /// Creates a list. Active items that are in order already share their memory with the given items.
        ///
        /// - Complexity: O(*n* log *n*), or O(*n*) if the items are in order.
        public init(_ items: [Item] = []) {
            active = items.allSatisfy(\.isActive) ? items : items.filter(\.isActive)
            completed = active.count == items.count ? [] : items.filter(\.isCompleted)
            if zip(active, active.dropFirst()).contains(where: { Self.standsBefore($1, $0) }) {
                active.sort(by: Self.standsBefore)
            }
            completed.sort(by: Self.standsBefore)
        }

        /// The number of items, active and completed.
        public var count: Int { active.count + completed.count }

        /// The active items, followed by the completed ones.
        public var all: [Item] { completed.isEmpty ? active : active + completed }

        /// The item with an id, or nil if there is none.
        public subscript(id: Item.ID) -> Item? {
            active.first { $0.id == id } ?? completed.first { $0.id == id }
        }

        /// The ids of all items, in display order.
        var ids: [Item.ID] { active.map(\.id) + completed.map(\.id) }

        /// The items that satisfy a condition. Filtering preserves the order, so no sorting is needed.
        func filtered(_ condition: (Item) -> Bool) -> List {
            var list = List()
            (list.active, list.completed) = (active.filter(condition), completed.filter(condition))
            return list
        }

        /// Whether an item is displayed above another one.
        static func standsAbove(_ one: Item, _ other: Item) -> Bool {
            one.isActive == other.isActive ? standsBefore(one, other) : one.isActive
        }

        /// Whether an item is displayed above another one of the same part of the list.
        static func standsBefore(_ one: Item, _ other: Item) -> Bool {
            if one.completed != other.completed {
                return (one.completed ?? .distantPast) > (other.completed ?? .distantPast)
            }
            if one.order != other.order { return one.order < other.order }
            if one.created != other.created { return one.created < other.created }
            return one.id < other.id
        }
    }
}

extension Items.List {
    /// Adds an item before or after the active ones.
    mutating func add(id: Item.ID, title: String, placement: Items.Placement, at date: Date) -> Formers {
        guard self[id] == nil else { return [:] }
        let index = placement == .top ? 0 : active.count
        let (order, renumbered) = makeRoom(at: index, date)
        insert(Item(id: id, title: title, order: order, created: date, updated: date))
        return renumbered.merging([id: nil]) { _, new in new }
    }

    /// Removes an item from the list.
    mutating func remove(_ id: Item.ID) -> Formers {
        if let index = active.firstIndex(where: { $0.id == id }) { return [id: active.remove(at: index)] }
        if let index = completed.firstIndex(where: { $0.id == id }) { return [id: completed.remove(at: index)] }
        return [:]
    }

    /// Moves an active item to another index among the active ones.
    mutating func move(_ id: Item.ID, to index: Int, at date: Date) -> Formers {
        let target = min(max(index, 0), active.count - 1)
        guard let source = active.firstIndex(where: { $0.id == id }), source != target else { return [:] }
        var item = active.remove(at: source)
        let former = item
        let (order, renumbered) = makeRoom(at: target, date)
        (item.order, item.updated) = (order, date)
        insert(item)
        return renumbered.merging([id: former]) { _, new in new }
    }

    /// Finds an order for an item at an index. If there is no room left, it renumbers the active items.
    mutating func makeRoom(at index: Int, _ date: Date) -> (order: Int, renumbered: Formers) {
        let lower = index > 0 ? active[index - 1].order : nil
        let upper = index < active.count ? active[index].order : nil
        if let order = Items.Spacing.order(between: lower, and: upper) { return (order, [:]) }
        var formers: Formers = [:]
        for position in active.indices {
            let order = Items.Spacing.order(at: position < index ? position : position + 1)
            guard active[position].order != order else { continue }
            formers.updateValue(active[position], forKey: active[position].id)
            active[position].order = order
            active[position].updated = date
        }
        return (Items.Spacing.order(at: index), formers)
    }

    /// Inserts a new item at its position.
    mutating func insert(_ item: Item) {
        if item.completed == nil {
            active.insert(item, at: active.index(before: item))
        } else {
            completed.insert(item, at: completed.index(before: item))
        }
    }
}

extension [Item] {
    /// The index of an item among others in display order, by binary search.
    ///
    /// - Complexity: O(log *n*).
    fileprivate func index(before item: Item) -> Int {
        var (lower, upper) = (0, count)
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if Items.List.standsBefore(item, self[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}
