import Foundation
import Relux
import Testing

@Suite("Undoable", .timeLimit(.minutes(10)))
struct UndoableTests {
    struct Draft: Relux.UndoableState, Hashable, Codable {
        var text = ""

        enum Action: Relux.Action {
            case typed(String)
            case replaced(String)
        }

        func historyRole(of action: Action) -> Relux.HistoryRole {
            switch action {
            case .typed: .merging("text")
            case .replaced: .step
            }
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .typed(let letters): text += letters
            case .replaced(let text): self.text = text
            }
        }
    }

    /// A state that never restores one of its parts. Everything else is the default.
    struct Document: Relux.UndoableState {
        var lines: [String] = []
        var isSaved = false

        struct Added: Relux.Action { let line: String }

        mutating func reduce(_ action: Added) { lines.append(action.line) }

        mutating func restore(_ snapshot: Self) {
            lines = snapshot.lines
            isSaved = false
        }
    }

    // MARK: Undo and redo

    @Test("in a store, its reducer applies the state's own actions")
    func inAStore() async throws {
        let store = try await Relux.Store {
            Part<TagA>(states: [Relux.Undoable(Draft())], reducers: [Relux.Undoable<Draft>.reducer])
        }

        await store.dispatch(Draft.Action.replaced("one"))
        await store.dispatch(Draft.Action.replaced("two"))
        await store.dispatch(Relux.Undoable<Draft>.Action.undo)
        let draft = try await store.state(of: Relux.Undoable<Draft>.self)

        #expect(draft.present.text == "one")
        #expect(draft.undoCount == 1)
        #expect(draft.redoCount == 1)
    }

    @Test("by default, every change makes a step")
    func defaultRole() {
        var document = Relux.Undoable(Document())

        document.apply(.init(line: "a"))
        document.apply(.init(line: "b"))

        #expect(document.undoCount == 2)
    }

    @Test("a part that the state doesn't restore is not undone")
    func restore() {
        var document = Relux.Undoable(Document())
        document.apply(.init(line: "a"))
        document.update(as: .passing) { $0.isSaved = true }

        document.reduce(.undo)
        #expect(document.present == Document(lines: [], isSaved: false))

        document.reduce(.redo)
        #expect(document.present == Document(lines: ["a"], isSaved: false))
    }

    // MARK: What makes a step

    @Test("a step costs one copy; changes that join it or make none are in place")
    func mergingInPlace() {
        func address() -> UnsafeRawPointer? { document.present.lines.withUnsafeBytes { $0.baseAddress } }
        var document = Relux.Undoable(Document(lines: ["", ""]))
        let before = address()

        document.update(as: .merging(0)) { $0.lines[0] += "a" }
        let after = address()
        #expect(after != before)

        document.update(as: .merging(0)) { $0.lines[0] += "b" }
        #expect(address() == after)
        document.update(as: .passing) { $0.lines[1] += "c" }
        #expect(address() == after)
        #expect(document.present.lines == ["ab", "c"])
    }

    @Test("ids that differ in type don't join")
    func idsOfDifferentTypes() {
        let role = Relux.HistoryRole.merging(1)
        let others: [Relux.HistoryRole] = [
            .merging(1.0), .merging("1"), .merging(UInt8(1)), .merging(2), .step, .passing,
        ]

        #expect(role == .merging(1))
        #expect(role.hashValue == Relux.HistoryRole.merging(1).hashValue)
        for other in others {
            #expect(role != other)
        }
    }

    // MARK: Bounds

    @Test("with a limit of zero or less, no steps are kept", arguments: [0, -1, Int.min])
    func noLimit(limit: Int) {
        var draft = Relux.Undoable(Draft(), limit: limit)

        draft.apply(.replaced("a"))
        draft.apply(.typed("b"))
        draft.reduce(.undo)

        #expect(draft.limit == 0)
        #expect(draft.present.text == "ab")
        #expect(!draft.canUndo)
    }

    @Test("adopting takes the state and the history that somebody else has, within the limit, and seals the last step")
    func adopt() {
        var theirs = Relux.Undoable(Draft(), limit: 10)
        for text in ["a", "b", "c", "d"] { theirs.apply(.replaced(text)) }
        theirs.reduce(.undo)
        var draft = Relux.Undoable(Draft(), limit: 2)
        draft.apply(.typed("x"))

        draft.reduce(.adopt(theirs))

        #expect(draft.present.text == "c")
        #expect((draft.limit, draft.undoCount, draft.redoCount) == (2, 2, 0))
        draft.apply(.typed("y"))
        draft.reduce(.undo)
        #expect(draft.present.text == "c")
        draft.reduce(.undo)
        #expect(draft.present.text == "b")
    }

    // MARK: Coding

    @Test("a history can be saved and restored, and its last step is sealed")
    func codable() throws {
        var draft = Relux.Undoable(Draft(), limit: 10)
        draft.apply(.replaced("a"))
        draft.apply(.replaced("b"))
        draft.reduce(.undo)
        draft.reduce(.redo)
        draft.reduce(.undo)

        let data = try JSONEncoder().encode(draft)
        var decoded = try JSONDecoder().decode(Relux.Undoable<Draft>.self, from: data)
        #expect(decoded == draft)

        decoded.apply(.typed("c"))
        let open = try JSONEncoder().encode(decoded)
        var reopened = try JSONDecoder().decode(Relux.Undoable<Draft>.self, from: open)
        reopened.apply(.typed("d"))
        #expect(reopened.undoCount == 3)
    }

    @Test("a decoded history is cut to its limit, keeping the nearest steps")
    func decodingTooMuch() throws {
        func state(_ text: String) -> String { #"{"text":"\#(text)"}"# }
        let json = """
            {"limit":2,"present":\(state("p")),"past":[\(state("a")),\(state("b")),\(state("c"))],\
            "future":[\(state("e")),\(state("d"))]}
            """

        var draft = try JSONDecoder().decode(Relux.Undoable<Draft>.self, from: Data(json.utf8))

        #expect(draft.undoCount == 2)
        #expect(draft.redoCount == 0)
        draft.reduce(.undo)
        #expect(draft.present.text == "c")
    }
}
