import Foundation
import Relux
import ReluxPersistence

/// Notes, and which of them is shown.
struct Notes: Relux.State, Codable {
    var texts: [String] = []
    var shown = 0

    enum Action: Relux.Action, Hashable {
        case add(String)
        case show(Int)
        case merged([String])
    }

    mutating func reduce(_ action: Action) {
        switch action {
        case .add(let text): texts.append(text)
        case .show(let number): shown = number
        case .merged(let texts): self.texts = texts
        }
    }
}

/// A module with any persistence of notes.
struct NotesModule: Relux.Module {
    var persistence: [any Relux.StatePersistence]
    var states: [any Relux.State] { [Notes()] }
}

/// A page of notes, one for each id.
struct PageModule<ID: Hashable & Sendable>: Relux.Module, Identifiable {
    let id: ID
    let storage: any Relux.Storage
    var onRemoval = Relux.SavedRule.keep
    var states: [any Relux.State] { [Notes()] }
    var persistence: [any Relux.StatePersistence] {
        [Relux.Saved(Notes.self, as: "page", in: storage, id: id, pace: .atOnce, onRemoval: onRemoval)]
    }
}

struct TestFailure: Error, Hashable {}
