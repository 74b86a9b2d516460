import Foundation
import Relux
import SampleServices

extension Items.State {
    /// Applies an action to the list.
    ///
    /// - Complexity: O(*n*) in the number of items, or O(*n* log *n*) for snapshots. The filter is evaluated only if
    ///   the list or the filter has changed.
    public mutating func reduce(_ action: Action) {
        if case .selected(let choice) = action {
            selection.reduce(choice, in: shown.ids)
        } else {
            keepingShown { $0.change(as: action) }
        }
    }

    private mutating func change(as action: Action) {
        switch action {
        case .loaded(let snapshot):
            isLoaded = true
            loading = .idle
            take(snapshot)
        case .loadFailed(let error): loading = .failed(error)
        case .loadCancelled: loading = .idle

        case .saveStarted: saving = .running
        case .saved(let changes, let snapshot):
            saving = .idle
            settle(changes)
            take(snapshot)
        case .saveFailed(let error): saving = .failed(error)
        case .saveCancelled: saving = .idle

        case .changedElsewhere(let snapshot):
            elsewhereFailure = nil
            take(snapshot)
        case .elsewhereFailed(let error): elsewhereFailure = error

        case .draftStarted(let new): if draft?.isBlank ?? true { draft = new }
        case .draftEdited(let title): draft?.title = title
        case .draftCommitted(let date):
            if let draft { add(draft.id, title: draft.title, draft.placement, at: date) }
            draft = nil
        case .draftDropped: draft = nil

        case .added(let id, let title, let placement, let date): add(id, title: title, placement, at: date)
        case .completed(let ids, let date):
            change { $0.change(ids, where: \.isActive, at: date) { $0.completed = date } }
        case .reopened(let ids, let date):
            change { $0.change(ids, where: \.isCompleted, at: date) { $0.completed = nil } }
        case .renamed(let id, let title, let date): rename(id, title: title.titleTrimmed, at: date)
        case .moved(let id, let index, let date): change { $0.move(id, to: index, at: date) }
        case .deleted(let ids): change { $0.remove(ids) }

        case .selected: break
        case .filtered(let text): filter = Items.Query(text)

        case .importBegan(let id): beginImport(id)
        case .imported(let additions, let blank, let date): addImported(additions, blank: blank, at: date)
        case .importSaved(let id): if id == importID { noteImportSaved() }
        case .importEnded: endImport()

        case .stepped(let id): endStep(id)
        case .undone(let id, let date): undo(id, at: date)
        case .redone(let id, let date): redo(id, at: date)

        case .historyLoaded(let stored): take(stored)
        case .historySaved(let changes, let stored):
            unsavedHistory.removeFirst(min(changes.count, unsavedHistory.count))
            take(stored)
        case .historyFailed(let error): historyFailure = error
        case .historySetAside(let former): formerHistory = former
        }
    }

    /// Marks requested work as started.
    public mutating func reduce(_ effect: Items.Effect) {
        // A save dispatches its own start, because it may have to wait for the previous one.
        if effect == .load { loading = .running }
    }

    private mutating func add(_ id: Item.ID, title: String, _ placement: Items.Placement, at date: Date) {
        let title = title.titleTrimmed
        guard !title.isEmpty else { return }
        change { $0.add(id: id, title: title, placement: placement, at: date) }
    }

    private mutating func rename(_ id: Item.ID, title: String, at date: Date) {
        if title.isEmpty {
            if list[id]?.isActive == true { change { $0.remove(id) } }
        } else {
            change { $0.change([id], where: \.isActive, at: date) { $0.title = title } }
        }
    }

    /// Applies a user's change to the list, as part of the current step.
    private mutating func change(_ body: (inout Items.List) -> Items.List.Formers) {
        let formers = body(&list)
        if openStep.isEmpty { openStep = formers } else { openStep.merge(formers) { first, _ in first } }
        note(formers)
    }

    /// Remembers the stored versions of items that were just changed, unless they are already known.
    mutating func note(_ formers: Items.List.Formers) {
        // Sharing saves a copy of a large dictionary.
        if bases.isEmpty { return bases = formers }
        for (id, former) in formers where !isUnsaved(id) {
            bases.updateValue(former, forKey: id)
        }
    }
}

extension Item {
    /// Whether the item is not completed.
    var isActive: Bool { completed == nil }

    /// Whether the item is completed.
    var isCompleted: Bool { completed != nil }
}
