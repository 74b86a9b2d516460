import Relux
import Testing

/// Bindings by paths that lead to an element of a collection.
@Suite("A binding of an element that has gone", .timeLimit(.minutes(10))) @MainActor
struct IndexedPathTests {
    private struct Row: Hashable, Sendable, Identifiable {
        let id: Int
        var title: String
        var tags: [String] = ["x", "y"]
        var note: String?
    }

    private enum Section: Hashable, Sendable {
        case empty
        case rows([String])

        subscript(row: Int) -> String { if case .rows(let rows) = self { rows[row] } else { "" } }
    }

    /// Rows that an empty title removes.
    private struct Table: Relux.State {
        var rows = [Row(id: 1, title: "a"), Row(id: 2, title: "b")]
        var entities: Relux.Entities<Row> = [Row(id: 1, title: "a"), Row(id: 2, title: "b")]
        var other = [1, 2, 3]
        var sections = [Section.empty, .rows(["x", "y"])]
        var groups = ["a": ["x", "y"], "b": ["z"]]
        var prices = 0...100
        var search = ""
        var filter: String { search }
        var short: [Row] { rows.filter { $0.title.count < 3 } }

        subscript(group name: String) -> [String] { groups[name] ?? [] }

        enum Action: Relux.Action, Equatable {
            case renamed(Int, String), removed(Int), untagged(Int), other([Int]), searched(String), added(Row), moved,
                replaced
            case priced(ClosedRange<Int>)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .renamed(let id, ""): reduce(.removed(id))
            case .renamed(let id, let title):
                if let position = rows.firstIndex(where: { $0.id == id }) { rows[position].title = title }
                entities[id: id]?.title = title
            case .removed(let id):
                rows.removeAll { $0.id == id }
                entities.remove(id: id)
            case .untagged(let id):
                if let position = rows.firstIndex(where: { $0.id == id }) { rows[position].tags = [] }
            case .other(let other): self.other = other
            case .searched(let text): search = text
            case .priced(let prices): self.prices = prices
            case .moved: (sections[1], groups) = (.rows(["x"]), ["a": ["x"], "b": ["z", "y"]])
            case .replaced:
                reduce(.removed(2))
                reduce(.added(Row(id: 3, title: "c")))
                groups["c"] = groups.removeValue(forKey: "b")
            case .added(let row):
                rows.append(row)
                entities.append(row)
            }
        }
    }

    private typealias Action = Table.Action

    private let observer = TraceObserver()
    private let store: Relux.Store
    private let state: Relux.UI.ViewState<Table>

    init() throws {
        store = try Relux.Store(.init(observers: [observer]), modules: [Part<TagA>(states: [Table()])])
        state = try store.viewState(of: Table.self)
    }

    private var actions: [Action] { observer.records.entries.compactMap { $0.action as? Action } }

    private var late: [Action?] {
        observer.refusals.entries.compactMap { refusal in
            if case .lateBinding = refusal.reason { .some(refusal.action as? Action) } else { nil }
        }
    }

    private func title(_ index: Int = 1) -> Relux.UI.ViewBinding<String> {
        state.binding(\.rows[index].title, capturing: state.value.rows[index].id) { id, _, new in
            Action.renamed(id, new)
        }
    }

    @Test("a set that removes the element ends nothing, and later sets are late")
    func removedByItself() {
        let binding = title()

        binding.wrappedValue = "c"
        binding.wrappedValue = "d"
        let renamed = binding.wrappedValue
        binding.wrappedValue = ""
        let gone = binding.wrappedValue
        binding.wrappedValue = "e"
        binding.wrappedValue = ""

        #expect(renamed == "d")
        #expect(gone == "d")
        #expect(state.value.rows.map(\.id) == [1])
        #expect(actions == [.renamed(2, "c"), .renamed(2, "d"), .renamed(2, "")])
        #expect(late == [.renamed(2, "e"), .renamed(2, "")])
    }

    @Test("a set after something else has removed the element is late, and shows that it was refused")
    func removedByOthers() {
        let (binding, first) = (title(), title(0))
        var calls = 0
        store.doNow(Action.removed(2))
        state.didChange = { _ in calls += 1 }

        binding.wrappedValue = "c"

        #expect(late == [.renamed(2, "c")])
        #expect(actions == [.removed(2)])
        #expect(calls == 1)
        #expect(first != title(0))
    }

    @Test("a binding that is made again for the present value is good, and so are equal ones from before")
    func madeAgain() {
        let first = title(0)
        store.doNow(Action.removed(2))
        let again = title(0)

        #expect(first == again)
        first.wrappedValue = "c"
        #expect(state.value.rows.map(\.title) == ["c"])
        #expect(first.wrappedValue == "c")
        #expect(late.isEmpty)
    }

    @Test("elements that are added or changed keep a binding good")
    func otherChanges() {
        let binding = title()

        store.doNow(Action.added(Row(id: 3, title: "c")))
        store.doNow(Action.renamed(1, "z"))
        store.doNow(Action.renamed(2, "y"))
        let read = binding.wrappedValue
        binding.wrappedValue = "x"

        #expect(read == "y")
        #expect(state.value.rows.map(\.title) == ["z", "x", "c"])
        #expect(late.isEmpty)
    }

    @Test("a range is no collection, however many numbers it contains", arguments: [0...5, 0...Int.max])
    func range(prices: ClosedRange<Int>) {
        let binding = title()
        store.doNow(Action.priced(prices))

        binding.wrappedValue = "c"

        #expect(state.value.rows.map(\.title) == ["a", "c"])
        #expect(late.isEmpty)
    }

    @Test("the elements of elements may go as well")
    func nested() {
        let tag = state.binding(\.rows[1].tags[1]) { _, _ in Action.untagged(2) }

        tag.wrappedValue = "z"
        let gone = tag.wrappedValue
        tag.wrappedValue = "w"

        #expect(gone == "y")
        #expect(actions == [.untagged(2)])
        #expect(late == [.untagged(2)])
    }

    @Test("so may elements in sections of which the first has none, and those in a dictionary")
    func hidden() {
        let row = state.binding(\.sections[1][1]) { _, _ in Action.moved }
        let member = state.binding(\.[group: "a"][1]) { _, _ in Action.moved }

        store.doNow(Action.moved)
        row.wrappedValue = "w"
        member.wrappedValue = "w"

        #expect(row.wrappedValue == "y")
        #expect(member.wrappedValue == "y")
        #expect(late == [.moved, .moved])
    }

    @Test("so may those that are known by an id or a key, while others take their place")
    func replaced() {
        let bindings = [
            state.binding(\.entities[id: 2]!.title) { _, _ in Action.replaced },
            state.binding(\.groups["b"]![0]) { _, _ in Action.replaced }, title(),
        ]

        for binding in bindings { binding.wrappedValue = "new" }

        #expect(bindings.map(\.wrappedValue) == ["b", "z", "b"])
        #expect(late == [.replaced, .renamed(2, "new")])
        #expect(state.value.rows.map(\.id) == [1, 3])
    }

    @Test("a set that takes its element out of a computed collection ends nothing")
    func computed() {
        state.binding(\.short[1].title) { _, new in Action.renamed(2, new) }.wrappedValue = "long"

        #expect(state.value.short.map(\.id) == [1])
        #expect(late.isEmpty)
    }

    @Test("a refused set of a row is shown, also beside other changes")
    func refused() {
        func make() -> Relux.UI.ViewBinding<String> {
            state.binding(\.rows[1].title) { _, _ in Action.other([7, 8, 9]) }
        }
        let before = make()

        before.wrappedValue = "c"

        #expect(make() != before)
        #expect(make().wrappedValue == "b")
    }

    @Test("a path that captures nothing is read whatever goes, as are optional parts", arguments: [false, true])
    func alwaysReadable(isEmpty: Bool) {
        let filter = state.binding(\.filter, sending: Action.searched)
        let note = state.binding(\.entities[id: 2]?.title) { _, new in new.map { Action.renamed(2, $0) } }

        store.doNow(contentsOf: [Action.other([]), .removed(1)] + (isEmpty ? [.removed(2)] : []))
        filter.wrappedValue = "t"
        filter.wrappedValue = "te"
        note.wrappedValue = "c"

        #expect(filter.wrappedValue == "te")
        #expect(note.wrappedValue == (isEmpty ? nil : "c"))
        #expect(late.isEmpty)
    }

    @Test("an id leads to the element wherever it is, or to another one if it has gone")
    func byID() {
        func make() -> Relux.UI.ViewBinding<String> {
            state.binding(\.entities[id: 2, otherwise: Row(id: 0, title: "-")].title, capturing: 2) { id, _, new in
                Action.renamed(id, new)
            }
        }
        let first = state.binding(\.entities, id: 2, \.title, otherwise: "-") { id, _, new in Action.renamed(id, new) }
        store.doNow(Action.removed(1))

        make().wrappedValue = "c"
        let renamed = make().wrappedValue
        first.wrappedValue = "d"
        let renamedAgain = first.wrappedValue
        make().wrappedValue = ""

        #expect([renamed, renamedAgain] == ["c", "d"])
        #expect(make().wrappedValue == "-")
        #expect(first.wrappedValue == "d")
        #expect(state.value.entities[id: 2, otherwise: Row(id: 9, title: "")].id == 9)
        #expect(late.isEmpty)
    }

    @Test("a set by id is late as long as there is no such element, and only then")
    func lateByID() {
        let binding = state.binding(\.entities, id: 2, \.title, otherwise: "-") { id, shown, new in
            shown == "b" ? Action.renamed(id, new) : nil
        }
        let draft = Relux.UI.Draft(binding)
        draft.value = "c"
        store.doNow(Action.removed(2))
        draft.commit()
        let (gone, incoming) = (binding.wrappedValue, draft.incoming)

        store.doNow(Action.added(Row(id: 2, title: "again")))
        binding.wrappedValue = "d"

        #expect(gone == "b")
        #expect(incoming == nil)
        #expect(binding.wrappedValue == "d")
        #expect(late == [.renamed(2, "c")])
    }
}
