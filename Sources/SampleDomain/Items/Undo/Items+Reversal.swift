import Foundation
public import SampleServices

extension Items {
    /// The effect of undoing or redoing a step on a list.
    public struct Reversal: Sendable, Equatable {
        /// Existing items that were changed, in their current versions, in the order of the list: each in one of these.
        public var done: [Item] { changed { $0.isActive && $1.isCompleted } }
        /// Items that are active again.
        public var reopened: [Item] { changed { $0.isCompleted && $1.isActive } }
        /// Items that have another title.
        public var renamed: [Item] { changed { $0.isActive == $1.isActive && $0.title != $1.title } }
        /// Items that have nothing but another position.
        public var moved: [Item] { changed { $0.isActive == $1.isActive && $0.title == $1.title } }

        /// Items that were restored, in the order of the list.
        public var restored: [Item] { sorted { $0.before == nil ? $0.after : nil } }

        /// Items that were removed, in their last versions, in the order in which they were listed.
        public var removed: [Item] { sorted { $0.after == nil ? $0.before : nil } }

        /// The number of items that were kept because they were changed elsewhere since.
        public let overtaken: Int

        /// The changes, item by item.
        let changes: [ItemsStep.Change]

        /// Whether nothing is left to undo or redo, because everything was changed elsewhere since.
        public var isEmpty: Bool { changes.isEmpty }

        /// All affected items in the order of the list, including the removed ones at their former positions.
        public var items: [Item] { sorted { $0.after ?? $0.before } }

        init(_ changes: [ItemsStep.Change], overtaken: Int) {
            self.changes = changes
            self.overtaken = overtaken
        }

        private func changed(_ isMeant: (Item, Item) -> Bool) -> [Item] {
            sorted { change in change.before.flatMap { old in change.after.flatMap { isMeant(old, $0) ? $0 : nil } } }
        }

        private func sorted(_ version: (ItemsStep.Change) -> Item?) -> [Item] {
            changes.compactMap(version).sorted(by: List.standsAbove)
        }
    }
}

extension Items.List {
    /// The changes that lead from one side of a step to the other, while preserving what was changed elsewhere since.
    /// To undo, the changes of the step are given in reverse.
    ///
    /// Each field that the step changed is restored if it still has the value that the step gave it. A field that was
    /// changed elsewhere since is kept. An item that the step added is also kept if it was renamed, completed, or
    /// reopened elsewhere. An item that was deleted elsewhere stays deleted. The title and position of an item that is
    /// completed now are kept.
    ///
    /// If a step changed the order of several items, because there was no room between two of them, their orders are
    /// restored together or not at all. Restoring only some of them would move items that nobody has moved.
    ///
    /// - Complexity: O(*n* + *m*) for *m* items of the step.
    func reversal(along changes: [ItemsStep.Change], at date: Date) -> Items.Reversal {
        let present = items(changes.compactMap(\.id))
        let ordersGoBack = canReverseOrders(of: changes, present)
        var done: [ItemsStep.Change] = []
        for change in changes {
            guard let id = change.id else { continue }
            let now = present[id]
            switch (change.before, change.after, now) {
            case (nil, let target?, nil):
                done.append(ItemsStep.Change(before: nil, after: target.touched(at: date)))
            case (let origin?, nil, let now?) where now.title == origin.title && now.isSame(origin.completed):
                done.append(ItemsStep.Change(before: now, after: nil))
            case (let origin?, let target?, let now?):
                let item = now.following(origin, to: target, includingOrder: ordersGoBack)
                if item != now { done.append(ItemsStep.Change(before: now, after: item.touched(at: date))) }
            default: break
            }
        }
        return Items.Reversal(done, overtaken: changes.count - done.count)
    }

    /// Applies a reversal of this list.
    mutating func apply(_ reversal: Items.Reversal) -> Formers {
        var formers: Formers = [:]
        formers.reserveCapacity(reversal.changes.count)
        for change in reversal.changes {
            if let id = change.id { formers.updateValue(change.before, forKey: id) }
        }
        replace(formers, with: reversal.changes.compactMap(\.after))
        return formers
    }

    /// Whether no other item is now positioned among the items whose order a step changed.
    private func canReverseOrders(of changes: [ItemsStep.Change], _ present: Lookup) -> Bool {
        let moved = changes.filter { change in
            guard let before = change.before, let after = change.after else { return false }
            return before.order != after.order && present[before.id]?.isActive == true
        }
        // A single item was moved deliberately, and its order doesn't depend on others.
        guard moved.count > 1 else { return true }
        guard moved.allSatisfy({ change in change.id.flatMap { present[$0] }?.order == change.before?.order }) else {
            return false
        }
        let orders = moved.flatMap { [$0.before?.order, $0.after?.order].compactMap(\.self) }
        guard let lowest = orders.min(), let highest = orders.max() else { return true }
        let own = Set(changes.compactMap(\.id))
        return active.allSatisfy { own.contains($0.id) || $0.order < lowest || $0.order > highest }
    }
}

extension Item {
    /// The item with every field that differs between two versions changed to the second version, if it still matches
    /// the first.
    fileprivate func following(_ origin: Item, to target: Item, includingOrder: Bool) -> Item {
        var item = self
        if origin.isActive != target.isActive, isSame(origin.completed) { item.completed = target.completed }
        // Completed items are neither moved nor renamed.
        guard item.isActive else { return item }
        if origin.title != target.title, title == origin.title { item.title = target.title }
        if includingOrder, origin.order != target.order, order == origin.order { item.order = target.order }
        return item
    }

    /// Whether the item was completed at that date, to the millisecond, the precision of a file.
    fileprivate func isSame(_ date: Date?) -> Bool {
        guard let completed, let date else { return completed == nil && date == nil }
        return abs(completed.timeIntervalSince(date)) < 0.001
    }

    fileprivate func touched(at date: Date) -> Item {
        var item = self
        item.updated = max(updated, date)
        return item
    }
}
