import Relux
import ReluxTesting
import Testing

/// Every history that a few changes can produce in any order.
@Suite("Undoable: every short history", .timeLimit(.minutes(10)))
struct UndoableStateSpaceTests {
    @Test("steps are bounded, typing is one step, a new step leaves nothing to redo, and undo and redo cancel out")
    func histories() {
        let report = StateSpace.explore(
            from: Editing(),
            actions: Editing.Event.allCases,
            depth: 6,
            invariants: Editing.invariants,
            reduce: { $0.take($1) }
        )

        #expect(report.depth == 6)
    }
}

private struct Note: Relux.UndoableState, Hashable {
    enum Action: Relux.Action, Hashable, CaseIterable { case titled, written, erased, signed, saved }

    var title = 0
    var text = 0
    var isSigned = false
    var isSaved = false

    mutating func reduce(_ action: Action) {
        switch action {
        case .titled: title = (title + 1) % 3
        case .written: text = (text + 1) % 3
        case .erased: (title, text) = (0, 0)
        case .signed: isSigned.toggle()
        case .saved: isSaved = true
        }
    }

    func historyRole(of action: Action) -> Relux.HistoryRole {
        switch action {
        case .titled: .merging("title")
        case .written: .merging("text")
        case .erased, .signed: .step
        case .saved: .passing
        }
    }

    mutating func restore(_ snapshot: Note) {
        (title, text, isSigned) = (snapshot.title, snapshot.text, snapshot.isSigned)
    }

    /// The contents that undo restores.
    var contents: [Int] { [title, text, isSigned ? 1 : 0] }
}

/// A note with its history and the latest event.
private struct Editing: Hashable {
    enum Event: Hashable, CaseIterable {
        case titled, written, erased, signed, saved, undo, redo, seal
    }

    private static let limit = 2

    private var note = Relux.Undoable(Note(), limit: limit)
    private var before = Relux.Undoable(Note(), limit: limit)
    private var event: Event?
    /// The field being edited, and the contents before the edit.
    private var typed: Event?
    private var base: [Int] = []

    mutating func take(_ event: Event) {
        before = note
        self.event = event
        switch event {
        case .titled: note.apply(.titled)
        case .written: note.apply(.written)
        case .erased: note.apply(.erased)
        case .signed: note.apply(.signed)
        case .saved: note.apply(.saved)
        case .undo: note.reduce(.undo)
        case .redo: note.reduce(.redo)
        case .seal: note.reduce(.seal)
        }
        follow(event)
    }

    private mutating func follow(_ event: Event) {
        switch event {
        case .saved: break
        // A change without an effect makes no step and therefore seals none.
        case .erased, .signed: if isChanged { typed = nil }
        case .titled, .written:
            if typed != event { (typed, base) = (event, before.present.contents) }
            if note.present.contents == base { typed = nil }
        case .undo, .redo: if note.undoCount != before.undoCount { typed = nil }
        case .seal: typed = nil
        }
    }

    private var isChanged: Bool { note.present.contents != before.present.contents }

    private var undone: Relux.Undoable<Note> {
        var copy = note
        copy.reduce(.undo)
        return copy
    }

    private var isTravel: Bool { event == .undo || event == .redo }

    static let invariants: [StateSpace.Invariant<Editing>] = [
        .init("no more steps are kept than the limit allows") {
            $0.note.undoCount + $0.note.redoCount <= limit
        },
        .init("a change leaves nothing to redo") { $0.isTravel || !$0.isChanged || $0.note.redoCount == 0 },
        .init("what changes nothing forgets nothing") { editing in
            editing.isTravel || editing.isChanged || editing.note.redoCount == editing.before.redoCount
        },
        .init("undo goes back before a step") { editing in
            guard editing.event == .erased || editing.event == .signed, editing.isChanged else { return true }
            return editing.undone.present.contents == editing.before.present.contents
        },
        .init("undo goes back before the typing in one field") { editing in
            editing.typed == nil || editing.undone.present.contents == editing.base
        },
        .init("undo and redo cancel out") { editing in
            var (undone, redone) = (editing.note, editing.note)
            if undone.canUndo {
                undone.reduce(.undo)
                undone.reduce(.redo)
            }
            if redone.canRedo {
                redone.reduce(.redo)
                redone.reduce(.undo)
            }
            return [undone, redone].allSatisfy { there in
                there.present == editing.note.present && there.undoCount == editing.note.undoCount
                    && there.redoCount == editing.note.redoCount
            }
        },
        .init("what no undo shall touch stays") { $0.note.present.isSaved || !$0.before.present.isSaved },
    ]
}
