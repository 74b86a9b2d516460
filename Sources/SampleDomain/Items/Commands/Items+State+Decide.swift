import Foundation
import SampleServices

extension Items {
    /// The result of applying the rules to a command: the actions, and the outcome for the caller.
    struct Decision {
        /// The actions, in the order in which they must be dispatched.
        let actions: [State.Action]

        /// Whether the list may change and must therefore be saved.
        var changesList = true

        /// Whether the changes form a step of their own, undone as a whole.
        var isStep = true

        /// Creates the outcome from the list that results from the actions.
        let outcome: @Sendable (List) -> Outcome
    }
}

extension Items.State {
    /// Applies the rules to a command, without changing anything.
    func decide(
        _ command: Items.Command,
        at date: Date,
        newID: @autoclosure () -> Item.ID
    ) throws(ItemsError) -> Items.Decision {
        switch command {
        case .add(let title, let placement):
            let id = newID()
            return Items.Decision(actions: [.added(id, title: title, placement, at: date)]) { $0.addition(of: id) }
        case .startDraft(let placement):
            let new = Items.Draft(id: newID(), placement: placement)
            let before: [Action] = hasDraft ? [.draftCommitted(at: date)] : []
            return Items.Decision(actions: before + [.draftStarted(new)], changesList: hasDraft) { _ in .drafted(new) }
        case .commitDraft:
            let id = draft?.id
            return Items.Decision(actions: [.draftCommitted(at: date)], changesList: hasDraft) { $0.addition(of: id) }
        case .complete(let references):
            return completion(of: try each(references, mayBeChanged), at: date)
        case .reopen(let references):
            return reopening(of: try each(references, mayBeReopened), at: date)
        case .rename(let reference, let title):
            let item = try active(reference)
            let action = Action.renamed(item.id, title: title, at: date)
            return Items.Decision(actions: [action]) { $0[item.id].map { .changed([$0]) } ?? .deleted([item]) }
        case .move(let reference, let position):
            let item = try active(reference)
            guard (1...list.active.count).contains(position) else {
                throw .noPosition(position, count: list.active.count)
            }
            let action = Action.moved(item.id, to: position - 1, at: date)
            return Items.Decision(actions: [action]) { .changed([$0[item.id] ?? item]) }
        case .step(let id, let direction):
            let item = try active(.id(id))
            guard let target = target(of: item, direction) else {
                return Items.Decision(actions: [], changesList: false) { _ in .changed([item]) }
            }
            return Items.Decision(actions: [.moved(id, to: target, at: date)]) { .changed([$0[id] ?? item]) }
        case .delete(let references):
            return deletion(of: try each(references) { (_) throws(ItemsError) in })
        case .clearAsked(let items): return deletion(of: remaining(of: items).filter(\.isCompleted))
        case .deleteAsked(let items): return deletion(of: remaining(of: items))
        case .turnSelection(let id):
            let items = selection.isEmpty ? [try list.item(.id(id))] : selectedItems
            let active = items.filter(\.isActive)
            return active.isEmpty ? reopening(of: items, at: date) : completion(of: active, at: date)
        case .undo:
            // Changes that don't belong to a step yet are more recent than the last step.
            let open = step(id: newID())
            guard let step = open ?? history.done.last else { throw .nothingToUndo }
            let reversal = undoing(step, at: date)
            let before: [Action] = open.map { [.stepped($0.id)] } ?? []
            return Items.Decision(actions: before + [.undone(step.id, at: date)], isStep: false) { _ in
                .undone(reversal)
            }
        case .redo:
            guard openStep.isEmpty, let step = history.undone.last else { throw .nothingToRedo }
            let reversal = redoing(step, at: date)
            return Items.Decision(actions: [.redone(step.id, at: date)], isStep: false) { _ in .redone(reversal) }
        case .catchUp: return Items.Decision(actions: [], changesList: false) { _ in .changed([]) }
        }
    }

    /// Whether there is a draft that would become an item.
    private var hasDraft: Bool { draft?.isBlank == false }

    private func completion(of items: [Item], at date: Date) -> Items.Decision {
        let ids = items.map(\.id)
        return Items.Decision(actions: [.completed(ids, at: date)]) { .changed($0.inOrder(of: ids)) }
    }

    private func reopening(of items: [Item], at date: Date) -> Items.Decision {
        let ids = items.map(\.id)
        return Items.Decision(actions: [.reopened(ids, at: date)]) { .changed($0.inOrder(of: ids)) }
    }

    private func deletion(of items: [Item]) -> Items.Decision {
        let actions: [Action] = items.isEmpty ? [] : [.deleted(items.map(\.id))]
        return Items.Decision(actions: actions, changesList: !items.isEmpty) { _ in .deleted(items) }
    }

    /// The referenced items, each once.
    private func each(
        _ references: [Items.Reference],
        _ check: (Item) throws(ItemsError) -> Void
    ) throws(ItemsError) -> [Item] {
        let known = list.items(references.compactMap(\.id))
        var (items, seen): ([Item], Set<Item.ID>) = ([], [])
        for reference in references {
            let item: Item
            if let id = reference.id, let found = known[id] { item = found } else { item = try list.item(reference) }
            try check(item)
            if seen.insert(item.id).inserted { items.append(item) }
        }
        return items
    }

    /// The index of the next active item that matches the filter, or nil if there is none.
    private func target(of item: Item, _ direction: Items.Direction) -> Int? {
        let active = list.active
        guard let index = active.firstIndex(where: { $0.id == item.id }) else { return nil }
        let isFound = { (index: Int) in filter.finds(active[index].title) }
        return switch direction {
        case .up: active[..<index].indices.last(where: isFound)
        case .down: active[(index + 1)...].indices.first(where: isFound)
        }
    }

    /// Those of the given items that are still on the list, in their current versions.
    private func remaining(of items: [Item]) -> [Item] {
        let present = list.items(items.map(\.id))
        return items.compactMap { item in
            // An item with the same id may be on another list as well, but not with the same creation date.
            present[item.id].flatMap { $0.isMade(at: item.created) ? $0 : nil }
        }
    }

    private func active(_ reference: Items.Reference) throws(ItemsError) -> Item {
        let item = try list.item(reference)
        try mayBeChanged(item)
        return item
    }

    private func mayBeChanged(_ item: Item) throws(ItemsError) {
        if item.isCompleted { throw .completed(item) }
    }

    private func mayBeReopened(_ item: Item) throws(ItemsError) {
        if item.isActive { throw .active(item) }
    }
}

extension Items.Reference {
    /// The full id, or nil for a prefix.
    fileprivate var id: Item.ID? {
        if case .id(let id) = self { id } else { nil }
    }
}

extension Item {
    /// Whether the item was created at that date, to the millisecond, the precision of a file.
    fileprivate func isMade(at date: Date) -> Bool { abs(created.timeIntervalSince(date)) < 0.001 }
}

extension Items.List {
    /// The items with these ids, in the order of the ids. Missing items are skipped.
    fileprivate func inOrder(of ids: [Item.ID]) -> [Item] {
        let found = items(ids)
        return ids.compactMap { found[$0] }
    }

    fileprivate func addition(of id: Item.ID?) -> Items.Outcome {
        id.flatMap { self[$0] }.map(Items.Outcome.added) ?? .dropped
    }
}
