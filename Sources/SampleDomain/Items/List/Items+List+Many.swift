import Foundation
import SampleServices

/// Operations on many items at once, in a single pass through the list.
extension Items.List {
    /// The largest number of items for which individual lookups are cheaper than a pass through the list.
    private static let few = 4

    /// The items with the given ids.
    ///
    /// - Complexity: O(*n* + *m*) for *m* ids.
    func items(_ ids: some Collection<Item.ID>) -> [Item.ID: Item] {
        var found: [Item.ID: Item] = [:]
        if ids.count <= Self.few {
            for id in ids { found[id] = self[id] }
            return found
        }
        let wanted = Set(ids)
        found.reserveCapacity(wanted.count)
        for item in active where wanted.contains(item.id) { found[item.id] = item }
        for item in completed where wanted.contains(item.id) { found[item.id] = item }
        return found
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
        var (formers, versions): (Formers, Formers) = ([:], [:])
        for (id, former) in items(ids) where condition(former) {
            var item = former
            change(&item)
            guard item != former else { continue }
            item.updated = date
            formers.updateValue(former, forKey: id)
            versions.updateValue(item, forKey: id)
        }
        replace(with: versions)
        return formers
    }

    /// Removes items from the list.
    ///
    /// - Complexity: O(*n* + *m*) for *m* ids.
    mutating func remove(_ ids: [Item.ID]) -> Formers {
        let formers = items(ids).mapValues(Optional.some)
        replace(with: formers.mapValues { _ in Item?.none })
        return formers
    }

    /// Adds new items after the active ones, in the given order. An item whose id is already present is left unchanged.
    ///
    /// - Complexity: O(*n* + *m*) for *m* new items.
    mutating func append(_ additions: [Items.Addition], at date: Date) -> Formers {
        var taken = Set(items(additions.map(\.id)).keys)
        var formers: Formers = [:]
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

    /// Replaces items by other versions, at their new positions. A nil version removes the item.
    ///
    /// - Complexity: O(*n* + *m*) for *m* versions, plus O(*n* log *n*) for sorting if there are many.
    mutating func replace(with versions: Formers) {
        if versions.count <= Self.few {
            for (id, version) in versions {
                _ = remove(id)
                if let version { insert(version) }
            }
            return
        }
        let kept = all.filter { !versions.keys.contains($0.id) }
        self = Items.List(kept + versions.values.compactMap(\.self))
    }
}
