import Foundation
import SampleServices

extension Items.List {
    /// What has to be done to get from one side of a step to the other, without touching what others have done since.
    ///
    /// Each field that the step changed goes back, if it is still as the step left it; a field that somebody else has
    /// changed since stays. So does an item that the step made and somebody else has renamed, completed or reopened,
    /// one that somebody else has deleted, and the title and place of one that is completed now.
    ///
    /// Where a step gave several items another order, because there was no room left between two of them, their orders
    /// go back together or not at all: one by one they would move items that nobody has moved.
    ///
    /// - Parameters:
    ///   - changes: For undoing, from what the step left to what was before it; for redoing, the other way round.
    ///   - date: The date of the change.
    /// - Returns: What is to be done.
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

    /// Changes the items as a reversal of this list says.
    mutating func apply(_ reversal: Items.Reversal) -> Formers {
        let present = items(reversal.changes.compactMap(\.id))
        var (formers, versions): (Formers, Formers) = ([:], [:])
        for change in reversal.changes {
            guard let id = change.id else { continue }
            formers.updateValue(present[id], forKey: id)
            versions.updateValue(change.after, forKey: id)
        }
        replace(with: versions)
        return formers
    }

    /// Whether nobody has come between the items whose order a step changed.
    private func canReverseOrders(of changes: [ItemsStep.Change], _ present: [Item.ID: Item]) -> Bool {
        let moved = changes.filter { change in
            guard let before = change.before, let after = change.after else { return false }
            return before.order != after.order && present[before.id]?.isActive == true
        }
        // A single one was moved on purpose, and is on its own.
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
    /// The item with each field that differs between two versions as the second has it, if it is as the first has it.
    fileprivate func following(_ origin: Item, to target: Item, includingOrder: Bool) -> Item {
        var item = self
        if origin.isActive != target.isActive, isSame(origin.completed) { item.completed = target.completed }
        // What is completed is neither moved nor edited.
        guard item.isActive else { return item }
        if origin.title != target.title, title == origin.title { item.title = target.title }
        if includingOrder, origin.order != target.order, order == origin.order { item.order = target.order }
        return item
    }

    /// Whether the item was completed at that time, as far as a file can tell: it keeps milliseconds.
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
