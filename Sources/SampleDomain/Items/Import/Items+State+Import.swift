import Foundation
import Relux
import SampleServices

extension Items.State {
    /// Starts the progress of a new import, in place of the previous one.
    mutating func beginImport(_ id: Items.Import.ID) {
        importID = id
        (importing, importStep, importBatch) = (Items.ImportProgress(), [], [])
    }

    /// Adds a batch, as part of the import's step and of no other.
    ///
    /// The step is recorded with its first batch and grows with every other one. If the program is ended, whatever the
    /// import has saved can be undone.
    mutating func addImported(_ additions: [Items.Addition], blank: Int, at date: Date) {
        noteImportSaved()
        let formers = list.append(additions, at: date)
        note(formers)
        // The added items are in the order of their addition. Renumbered items follow them.
        let added = list.active.suffix(additions.count).filter { formers[$0.id] == .some(nil) }
        importStep.reserveCapacity(importStep.count + formers.count)
        importStep += added.lazy.map { ItemsStep.Change(before: nil, after: $0) }
        if formers.count > added.count {
            let renumbered = formers.compactMapValues(\.self)
            let present = list.items(renumbered.keys)
            importStep += renumbered.map { ItemsStep.Change(before: $0.value, after: present[$0.key]) }
            importStep = importStep.united
        }
        rememberImport()
        importBatch = added.map(\.id)
        importing?.blank += blank
    }

    /// Counts the last batch as saved.
    mutating func noteImportSaved() {
        importing?.saved += importBatch.count
        importBatch = []
    }

    /// Records everything that the import has changed so far.
    private mutating func rememberImport() {
        guard let importID, !importStep.isEmpty else { return }
        remember(.grown(ItemsStep(id: importID, changes: importStep)))
    }

    /// Ends the import, and removes a batch that couldn't be saved.
    ///
    /// - Complexity: O(*n* + *m*) for an import of *m* items.
    mutating func endImport() {
        let lost = Set(importBatch.filter { bases[$0] == .some(nil) })
        _ = list.remove(Array(lost))
        for id in lost { bases[id] = nil }
        if !lost.isEmpty, let importID {
            importStep.removeAll { $0.id.map(lost.contains) ?? true }
            remember(.grown(ItemsStep(id: importID, changes: importStep)))
        }
        (importStep, importBatch) = ([], [])
        importing?.isRunning = false
        // The caller of the import gets the error, and nothing is left to save.
        if !lost.isEmpty, !hasUnsavedChanges, saving.failure != nil { saving = .idle }
    }

    /// Ends a cancelled import. Its last batch is kept, although it isn't known yet whether the batch was saved.
    ///
    /// An import that was cancelled before it started ends nothing: the running import is a different one.
    mutating func reduce(_ stop: Items.ImportStop) {
        guard stop.id == importID else { return }
        let batch = importBatch
        importBatch = []
        endImport()
        importBatch = batch
    }
}

extension [ItemsStep.Change] {
    /// The changes, with those of the same item merged. An import that had to renumber may have changed an item twice.
    fileprivate var united: [ItemsStep.Change] {
        var indexes: [Item.ID: Int] = [:]
        return reduce(into: []) { changes, change in
            guard let id = change.id else { return }
            if let index = indexes[id] {
                changes[index] = ItemsStep.Change(before: changes[index].before, after: change.after)
            } else {
                indexes[id] = changes.count
                changes.append(change)
            }
        }
    }
}
