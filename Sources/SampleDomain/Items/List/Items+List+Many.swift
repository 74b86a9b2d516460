import Foundation
import SampleServices

/// Operations on many items at once, in a single pass through the list.
extension Items.List {
    /// The largest number of items for which individual lookups and insertions are cheaper than passes and sorting.
    private static let few = 4

    /// Some items of a list, found by their ids. A dictionary of the items themselves would need four times the memory.
    struct Lookup {
        fileprivate let list: Items.List
        fileprivate var indexes: [Item.ID: Int] = [:]

        /// The ids of the items that were found.
        var ids: some Collection<Item.ID> { indexes.keys }

        /// The item with an id, or nil if it isn't on the list or wasn't looked for.
        subscript(id: Item.ID) -> Item? {
            guard let index = indexes[id] else { return nil }
            let count = list.active.count
            return index < count ? list.active[index] : list.completed[index - count]
        }
    }

    /// Looks for the items with the given ids.
    ///
    /// - Complexity: O(*n* + *m*) for *m* ids.
    func items(_ ids: some Collection<Item.ID>) -> Lookup {
        var found = Lookup(list: self)
        if ids.count <= Self.few {
            for id in ids { found.indexes[id] = index(of: id) }
            return found
        }
        let wanted = Set(ids)
        for (index, item) in active.enumerated() where wanted.contains(item.id) { found.indexes[item.id] = index }
        for (index, item) in zip(active.count..., completed) where wanted.contains(item.id) {
            found.indexes[item.id] = index
        }
        return found
    }

    private func index(of id: Item.ID) -> Int? {
        active.firstIndex { $0.id == id } ?? completed.firstIndex { $0.id == id }.map { $0 + active.count }
    }

    /// Changes the items that satisfy a condition, and moves them to their new positions.
    ///
    /// - Complexity: O(*n* + *m*) for *m* ids, plus O(*n* log *n*) for sorting if there are many.
    mutating func change(
        _ ids: [Item.ID],
        where condition: (Item) -> Bool,
        at date: Date,
        _ change: (inout Item) -> Void
    ) -> Formers {
        var (formers, versions): (Formers, [Item]) = ([:], [])
        let present = items(ids)
        for id in present.ids {
            guard let former = present[id], condition(former) else { continue }
            var item = former
            change(&item)
            guard item != former else { continue }
            item.updated = date
            formers.updateValue(former, forKey: id)
            versions.append(item)
        }
        replace(formers, with: versions)
        return formers
    }

    /// Removes items from the list.
    ///
    /// - Complexity: O(*n* + *m*) for *m* ids.
    mutating func remove(_ ids: [Item.ID]) -> Formers {
        let present = items(ids)
        let formers = Formers(uniqueKeysWithValues: present.ids.map { ($0, present[$0]) })
        replace(formers, with: [])
        return formers
    }

    /// Adds new items after the active ones, in the given order. An item whose id is already present is left unchanged.
    ///
    /// - Complexity: O(*n* + *m*) for *m* new items.
    mutating func append(_ additions: [Items.Addition], at date: Date) -> Formers {
        var taken = Set(items(additions.map(\.id)).ids)
        var formers: Formers = [:]
        formers.reserveCapacity(additions.count)
        active.reserveCapacity(active.count + additions.count)
        for addition in additions where taken.insert(addition.id).inserted {
            let (order, renumbered) = makeRoom(at: active.count, date)
            formers.merge(renumbered) { first, _ in first }
            formers.updateValue(nil, forKey: addition.id)
            // The item has the greatest order, so it belongs at the end.
            active.append(
                Item(id: addition.id, title: addition.title, order: order, created: date, updated: date))
        }
        return formers
    }

    /// Replaces items by other versions, at their new positions.
    ///
    /// - Complexity: O(*n* + *m*) for *m* items, plus O(*n* log *n*) for sorting if there are many.
    mutating func replace(_ formers: Formers, with versions: [Item]) {
        if formers.count <= Self.few {
            for id in formers.keys { _ = remove(id) }
            for version in versions { insert(version) }
        } else {
            let kept = all.filter { !formers.keys.contains($0.id) }
            self = Items.List(kept + versions)
        }
    }
}
