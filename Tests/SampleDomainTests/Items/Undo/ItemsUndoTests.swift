import Foundation
import SampleServices
import Testing

@testable import SampleDomain

/// Undo and redo in the state: the contents of a step, and which of them are undone.
@Suite struct ItemsUndoTests {
    private let loaded = Items.State(loaded: [.sample(1), .sample(2), .sample(3, completed: 5)])
    private let later = noon.addingTimeInterval(60)

    /// The visible contents, without the dates of change.
    private func contents(_ state: Items.State) -> [Item] {
        state.list.all.map { item in item.with { $0.updated = .distantPast } }
    }

    /// The state after one step of some actions.
    private func step(_ number: Int, _ actions: Items.State.Action..., from start: Items.State) -> Items.State {
        var state = start
        for action in actions { state.reduce(action) }
        return state.after(.stepped(.sample(number)))
    }

    /// The state after everything unsaved was stored and some items were changed elsewhere.
    private func elsewhere(_ state: Items.State, _ revision: Int, _ change: (inout [Item]) -> Void) -> Items.State {
        let saved = state.after(
            .saved(state.unsavedChanges, ItemsSnapshot(items: state.list.all, revision: revision))
        )
        var items = saved.list.all
        change(&items)
        return saved.after(.changedElsewhere(ItemsSnapshot(items: items, revision: revision + 1)))
    }

    @Test(
        arguments: [
            .added(.sample(9), title: "New", .top, at: noon), .completed([.sample(1), .sample(2)], at: noon),
            .reopened([.sample(3)], at: noon), .renamed(.sample(1), title: "Other", at: noon),
            .renamed(.sample(1), title: "", at: noon), .moved(.sample(1), to: 1, at: noon),
            .deleted([.sample(1), .sample(3)]),
        ] as [Items.State.Action])
    func `every change is undone and redone, and is dated and saved like any change`(action: Items.State.Action) {
        let changed = step(50, action, from: loaded)

        let undone = changed.after(.undone(.sample(50), at: later))
        let redone = undone.after(.redone(.sample(50), at: later))

        #expect(contents(changed) != contents(loaded))
        #expect(contents(undone) == contents(loaded) && contents(redone) == contents(changed))
        #expect(!undone.history.undone.isEmpty && !undone.canUndo && redone.canUndo && redone.history.undone.isEmpty)
        for change in undone.unsavedChanges {
            if case .update(_, let item) = change { #expect(item.updated == later) }
        }
    }

    @Test func `restored items are reported in the order of the list, and removed ones in their former order`() {
        let items: [Item] = [
            .sample(1, order: 3), .sample(2, order: 1), .sample(3, completed: 5), .sample(4, order: 2),
        ]
        let deleted = step(50, .deleted(items.map(\.id)), from: Items.State(loaded: items))

        let undoing = deleted.history.done.first.map { deleted.undoing($0, at: later) }
        let undone = deleted.after(.undone(.sample(50), at: later))
        let redoing = undone.history.undone.first.map { undone.redoing($0, at: later) }

        #expect(undoing?.restored.map(\.title) == ["Item 2", "Item 4", "Item 1", "Item 3"])
        #expect(undoing?.items == undoing?.restored)
        #expect(redoing?.removed.map(\.title) == ["Item 2", "Item 4", "Item 1", "Item 3"])
    }

    @Test func `what has been saved in the meantime is undone by a change to save`() {
        let changed = step(50, .deleted([.sample(1)]), from: loaded)
        let saved = elsewhere(changed, 2) { _ in }

        let undone = saved.after(.undone(.sample(50), at: later))

        #expect(undone.unsavedChanges == [.insert(.sample(1).with { $0.updated = later })])
    }

    @Test func `several changes before the end of a step are undone at once`() {
        let changed = step(
            50, .renamed(.sample(1), title: "A", at: noon), .completed([.sample(1)], at: noon),
            .deleted([.sample(2)]), from: loaded
        )

        #expect(changed.history.done.count == 1)
        #expect(contents(changed.after(.undone(.sample(50), at: later))) == contents(loaded))
    }

    @Test func `an action that changes nothing creates no step`() {
        let renamedBack = step(
            50, .renamed(.sample(1), title: "A", at: noon), .renamed(.sample(1), title: "Item 1", at: noon),
            .moved(.sample(3), to: 0, at: noon), from: loaded
        )

        #expect(!renamedBack.canUndo)
    }

    @Test func `a new step discards what was undone`() {
        let undone = step(50, .deleted([.sample(1)]), from: loaded).after(.undone(.sample(50), at: later))

        let state = step(51, .deleted([.sample(2)]), from: undone)

        #expect(state.history.undone.isEmpty)
        #expect(state.after(.redone(.sample(50), at: later)) == state)
    }

    @Test func `with more steps than are remembered, the oldest can't be undone`() {
        var state = loaded
        for number in 1...ItemsHistory.standardLimit + 1 {
            state = step(number, .renamed(.sample(1), title: "\(number)", at: noon), from: state)
        }
        for number in (1...ItemsHistory.standardLimit + 1).reversed() {
            state.reduce(.undone(.sample(number), at: later))
        }

        #expect(state.list[.sample(1)]?.title == "1" && !state.canUndo)
    }

    @Test func `a field that was changed elsewhere since is kept, and the others are restored`() {
        let changed = step(
            50, .renamed(.sample(1), title: "Mine", at: noon), .renamed(.sample(2), title: "Mine too", at: noon),
            from: loaded
        )
        let others = elsewhere(changed, 2) { items in
            for index in items.indices where items[index].id == .sample(1) {
                (items[index].title, items[index].order) = ("Theirs", 9_000)
            }
        }

        let undone = others.after(.undone(.sample(50), at: later))
        let redone = undone.after(.redone(.sample(50), at: later))

        #expect(undone.list.titles == ["Item 2", "Theirs", "Item 3"])
        #expect(redone.list.titles == ["Mine too", "Theirs", "Item 3"])
        #expect(others.undoing(others.history.done[0], at: later).overtaken == 1)
    }

    @Test func `a change of another field elsewhere doesn't interfere`() {
        let changed = step(50, .moved(.sample(1), to: 1, at: noon), from: loaded)
        let others = elsewhere(changed, 2) { items in
            for index in items.indices where items[index].id == .sample(1) { items[index].title = "Theirs" }
        }

        let undone = others.after(.undone(.sample(50), at: later))

        #expect(undone.list.titles == ["Theirs", "Item 2", "Item 3"])
    }

    @Test func `an added item that was edited elsewhere is kept, one that was only moved is removed`() {
        let changed = step(50, .added(.sample(9), title: "New", .end, at: noon), from: loaded)
        let renamed = elsewhere(changed, 2) { $0 = $0.map { $0.with { $0.title = "Theirs" } } }
        let moved = elsewhere(changed, 2) { $0 = $0.map { $0.with { $0.order -= 1 } } }

        #expect(renamed.after(.undone(.sample(50), at: later)).list[.sample(9)]?.title == "Theirs")
        #expect(moved.after(.undone(.sample(50), at: later)).list[.sample(9)] == nil)
    }

    @Test func `an item that was deleted or completed elsewhere isn't restored or edited`() {
        let changed = step(50, .renamed(.sample(1), title: "Mine", at: noon), from: loaded)
        let deleted = elsewhere(changed, 2) { $0.removeAll { $0.id == .sample(1) } }
        let completed = elsewhere(changed, 2) { $0 = $0.map { $0.with { $0.completed = noon } } }

        #expect(deleted.after(.undone(.sample(50), at: later)).list == deleted.list)
        #expect(completed.after(.undone(.sample(50), at: later)).list == completed.list)
    }

    @Test func `a step of which nothing is left is discarded, and the previous one is next`() {
        let first = step(50, .deleted([.sample(2)]), from: loaded)
        let second = step(51, .renamed(.sample(1), title: "Mine", at: noon), from: first)
        let others = elsewhere(second, 2) { $0.removeAll { $0.id == .sample(1) } }

        let state = others.after(.undone(.sample(51), at: later))

        #expect(state.history.done.map(\.id) == [.sample(50)] && state.history.undone.isEmpty)
    }

    @Test func `if there was no room, all orders are restored, unless an item is now in between`() {
        let narrow = Items.State(loaded: [.sample(1, order: 1), .sample(2, order: 2), .sample(3, order: 3)])
        let changed = step(50, .moved(.sample(3), to: 1, at: noon), from: narrow)
        let others = elsewhere(changed, 2) { $0.append(.sample(4, order: 1_500)) }

        let alone = changed.after(.undone(.sample(50), at: later))
        let beside = others.after(.undone(.sample(50), at: later))

        #expect(alone.list.titles == ["Item 1", "Item 2", "Item 3"] && alone.list.orders == [1, 2, 3])
        #expect(others.list.titles == ["Item 1", "Item 4", "Item 3", "Item 2"])
        #expect(beside.list == others.list)
    }

    @Test func `what arrives before the end of a step isn't taken for a part of it`() {
        let open = loaded.after(.renamed(.sample(1), title: "Mine", at: noon))

        let state = elsewhere(open, 2) { $0.removeAll { $0.id == .sample(2) } }.after(.stepped(.sample(50)))

        #expect(!state.canUndo)
    }

    @Test func `a file that keeps only milliseconds isn't mistaken for a change elsewhere`() {
        let date = noon.addingTimeInterval(0.123_456)
        let changed = step(50, .completed([.sample(1)], at: date), from: loaded)
        let read = elsewhere(changed, 2) { items in
            items = items.map { $0.with { if $0.completed == date { $0.completed = noon.addingTimeInterval(0.123) } } }
        }

        #expect(read.after(.undone(.sample(50), at: later)).list[.sample(1)]?.isActive == true)
    }

    @Test func `with nothing to undo or redo the commands are rejected`() {
        #expect(throws: ItemsError.nothingToUndo) { try loaded.decide(.undo, at: noon, newID: .sample(1)) }
        #expect(throws: ItemsError.nothingToRedo) { try loaded.decide(.redo, at: noon, newID: .sample(1)) }
    }

    @Test func `changes outside of a step are undone first, and leave nothing to redo`() throws {
        let undone = step(50, .deleted([.sample(1)]), from: loaded).after(.undone(.sample(50), at: later))
        let open = undone.after(.renamed(.sample(1), title: "Mine", at: noon))

        let decision = try open.decide(.undo, at: later, newID: .sample(51))
        var state = open
        for action in decision.actions { state.reduce(action) }

        #expect(contents(state) == contents(loaded))
        #expect(throws: ItemsError.nothingToRedo) { try open.decide(.redo, at: noon, newID: .sample(1)) }
    }

    @Test func `what happens before the history is read is added on top of it`() {
        let kept = Items.State(isHistoryKept: true).after(.loaded(ItemsSnapshot(items: [.sample(1)], revision: 1)))
        let changed = step(50, .deleted([.sample(1)]), from: kept)
        let stored = ItemsStep(id: .sample(40), changes: [.init(before: .sample(7), after: nil)])

        let read = changed.after(.historyLoaded(ItemsHistory(done: [stored])))
        let saved = read.after(.historySaved(read.unsavedHistory, read.history))

        #expect(read.history.done.map(\.id) == [.sample(40), .sample(50)])
        #expect(read.unsavedHistory.count == 1 && saved.unsavedHistory.isEmpty)
        #expect(saved.history == read.history)
    }

    @Test func `a history that can't be saved stays bounded`() {
        var state = Items.State(isHistoryKept: true).after(.loaded(ItemsSnapshot(items: [.sample(1)], revision: 1)))
        for number in 1...3 * ItemsHistory.standardLimit {
            state = step(number, .renamed(.sample(1), title: "\(number)", at: noon), from: state)
        }

        #expect(state.unsavedHistory.count == 2 * ItemsHistory.standardLimit)
    }
}
