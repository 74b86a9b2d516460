import Foundation
import Relux
import SampleServices

extension Items.State {
    /// Forgets the import before.
    mutating func beginImport(_ id: Items.Import.ID) {
        importID = id
        (importing, importStep, importBatch) = (Items.ImportProgress(), [], [])
    }

    /// Adds a batch, as a part of the import's step and of no other.
    mutating func addImported(_ additions: [Items.Addition], blank: Int, fraction: Double?, at date: Date) {
        noteImportSaved()
        let formers = list.append(additions, at: date)
        note(formers)
        let present = list.items(formers.keys)
        // In the order in which they were added; what had to make room for them comes after them.
        let added = additions.map(\.id).filter { formers[$0] == .some(nil) }
        importStep += added.map { ItemsStep.Change(before: nil, after: present[$0]) }
        for (id, former) in formers {
            if let former { importStep.append(ItemsStep.Change(before: former, after: present[id])) }
        }
        importBatch = added
        importing?.blank += blank
        importing?.fraction = fraction
    }

    /// Counts the last batch as saved.
    mutating func noteImportSaved() {
        importing?.saved += importBatch.count
        importBatch = []
    }

    /// Makes a step of what the import has done.
    ///
    /// - Complexity: O(*n* + *m*) for an import of *m* items.
    mutating func endImport(_ id: ItemsStep.ID) {
        let lost = Set(importBatch.filter { bases[$0] == .some(nil) })
        _ = list.remove(Array(lost))
        for id in lost { bases[id] = nil }
        let changes = importStep.filter { $0.id.map { !lost.contains($0) } ?? false }.united
        if !changes.isEmpty { remember(.done(ItemsStep(id: id, changes: changes))) }
        (importStep, importBatch) = ([], [])
        importing?.isRunning = false
        // Whoever asked for the import is told why it failed; there is nothing left to save.
        if !lost.isEmpty, !hasUnsavedChanges, saving.failure != nil { saving = .idle }
    }

    /// Ends an import that was cancelled. Whether its last batch has been saved shows later; it stays.
    ///
    /// One that was cancelled before it began ends nothing: the import that goes on is another one.
    mutating func reduce(_ stop: Items.ImportStop) {
        guard stop.id == importID else { return }
        let batch = importBatch
        importBatch = []
        endImport(stop.step)
        importBatch = batch
    }
}

extension [ItemsStep.Change] {
    /// The changes with those of one item in one: an import that had to make room may have changed an item twice.
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
