import Foundation
import SampleServices

extension Items.State {
    /// Whether there is a step to undo.
    public var canUndo: Bool { !history.done.isEmpty || !openStep.isEmpty }

    /// Whether steps have been done or redone that aren't saved.
    var hasUnsavedSteps: Bool {
        unsavedHistory.contains { change in
            if case .undone = change { false } else { true }
        }
    }

    /// The step that ``Action/stepped(_:)`` would create now, or nil if nothing has changed since the last one.
    func step(id: ItemsStep.ID) -> ItemsStep? {
        let present = list.items(openStep.keys)
        let changes = openStep.keys.sorted().compactMap { item in
            let change = ItemsStep.Change(before: openStep[item] ?? nil, after: present[item])
            return change.isEmpty ? nil : change
        }
        return changes.isEmpty ? nil : ItemsStep(id: id, changes: changes)
    }

    /// The effect of undoing a step.
    func undoing(_ step: ItemsStep, at date: Date) -> Items.Reversal {
        list.reversal(along: step.changes.map(\.reversed), at: date)
    }

    /// The effect of redoing a step.
    func redoing(_ step: ItemsStep, at date: Date) -> Items.Reversal {
        list.reversal(along: step.changes, at: date)
    }

    /// Creates a step from the changes made since the last one.
    mutating func endStep(_ id: ItemsStep.ID) {
        if let step = step(id: id) { remember(.done(step)) }
        openStep = [:]
    }

    mutating func undo(_ id: ItemsStep.ID, at date: Date) {
        guard let step = history.done.last(where: { $0.id == id }) else { return }
        let reversal = undoing(step, at: date)
        note(list.apply(reversal))
        // Only what was actually undone can be redone.
        remember(.undone(ItemsStep(id: id, changes: reversal.changes.map(\.reversed))))
    }

    mutating func redo(_ id: ItemsStep.ID, at date: Date) {
        guard let step = history.undone.last(where: { $0.id == id }) else { return }
        let reversal = redoing(step, at: date)
        note(list.apply(reversal))
        remember(.redone(ItemsStep(id: id, changes: reversal.changes)))
    }

    /// Replaces the history with the stored one, and applies the unsaved changes to it.
    mutating func take(_ stored: ItemsHistory) {
        isHistoryLoaded = true
        historyFailure = nil
        history = stored
        for change in unsavedHistory { history.apply(change) }
    }

    mutating func remember(_ change: ItemsHistory.Change) {
        history.apply(change)
        guard isHistoryKept else { return }
        unsavedHistory.append(change)
        // If saving keeps failing, the oldest changes are discarded, as the history itself would discard them.
        if unsavedHistory.count > 2 * history.limit { unsavedHistory.removeFirst() }
    }
}

extension ItemsStep.Change {
    /// The inverse of the change.
    var reversed: ItemsStep.Change { ItemsStep.Change(before: after, after: before) }

    /// Whether both versions are equal, apart from the date of their last change.
    fileprivate var isEmpty: Bool {
        guard let before, var after else { return before == nil && after == nil }
        after.updated = before.updated
        return before == after
    }
}
