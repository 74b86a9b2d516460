import Relux
import SampleServices

extension Items.State {
    /// Our changes since both sides agreed, as one step on top of what somebody else has saved.
    static func merged(_ base: Self?, _ ours: Self, _ theirs: Self) -> Self {
        var merged = theirs
        merged.update(as: .step) { $0 = ours.present.merged(into: theirs.present, since: base?.present) }
        return merged
    }
}

extension Items.List {
    /// Another list with the changes that this one has made since a common base.
    ///
    /// Additions of either side stay, and changes of either side win over deletions. Changes of different fields of an
    /// item are both kept. If both have changed the same field, or the order, ours wins; theirs is one undo away.
    ///
    /// - Complexity: O(*n* log *n*).
    func merged(into theirs: Self, since base: Self?) -> Self {
        let base = base ?? Self()
        var merged = theirs.items
        for item in base.items where items[id: item.id] == nil && theirs.items[id: item.id] == item {
            merged.remove(id: item.id)
        }
        let isReordered = items.ids.filter(base.items.contains) != base.items.ids.filter(items.contains)
        // The position after the item before, for an item that is new or has been moved.
        var position = 0
        for item in items {
            let isOurs = base.items[id: item.id] != item
            if let place = merged.position(id: item.id) {
                let old = base.items[id: item.id] ?? item
                merged[id: item.id] = merged[place].taking(item, since: old)
                if isReordered { merged.move(id: item.id, to: min(position, merged.count - 1)) }
                position = isReordered ? position + 1 : place + 1
            } else if isOurs {
                merged.insert(item, at: min(position, merged.count))
                position += 1
            }
        }
        return Self(Array(merged))
    }
}
