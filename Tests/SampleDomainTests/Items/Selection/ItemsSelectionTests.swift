import Foundation
import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

@Suite(.timeLimit(.minutes(10))) struct ItemsSelectionTests {
    /// A list of nine items after some actions.
    private func state(_ actions: Items.State.Action...) -> Items.State {
        var state = Items.State(loaded: (1...9).map { .sample($0) })
        for action in actions { state.reduce(action) }
        return state
    }

    /// The positions of the selected items, starting at 1.
    private func positions(_ state: Items.State) -> [Int] {
        zip(1..., state.shown.all).filter { state.selection.contains($1.id) }.map(\.0)
    }

    private func range(_ start: Int, _ end: Int) -> Items.State.Action {
        .selected(.ranged(from: .sample(start), to: .sample(end)))
    }

    private func toggle(_ number: Int) -> Items.State.Action {
        .selected(.toggled(.sample(number)))
    }

    @Test func `toggled items are selected one by one`() {
        #expect(positions(state(toggle(2), toggle(6), toggle(4))) == [2, 4, 6])
        #expect(positions(state(toggle(2), toggle(6), toggle(2))) == [6])
        #expect(state(toggle(6), toggle(2)).selectedItems.map(\.id) == [.sample(2), .sample(6)])
    }

    @Test func `from elsewhere a new range starts in addition to the selection, and from its end it continues`() {
        let first = state(range(1, 2))
        let second = first.after(range(5, 6), range(6, 7))
        let shorter = second.after(range(7, 6))
        let turned = shorter.after(range(6, 4))
        let inside = turned.after(range(1, 1))

        #expect(positions(first) == [1, 2])
        #expect(positions(second) == [1, 2, 5, 6, 7])
        #expect(positions(shorter) == [1, 2, 5, 6])
        #expect(positions(turned) == [1, 2, 4, 5])
        #expect(positions(inside) == [1, 2, 4, 5])
    }

    @Test func `a range grows over toggled items, and keeps them when it shrinks`() {
        let grown = state(toggle(6), toggle(2), range(2, 7))

        #expect(positions(grown) == [2, 3, 4, 5, 6, 7])
        #expect(positions(grown.after(range(7, 3))) == [2, 3, 6])
    }

    @Test func `after none, and after an item was deselected, a range starts where it is requested`() {
        #expect(state(range(1, 3), .selected(.none)).selection == Items.Selection())
        #expect(positions(state(range(1, 3), .selected(.none), range(3, 4))) == [3, 4])
        #expect(positions(state(toggle(3), toggle(3), range(3, 2))) == [2, 3])
    }

    @Test func `it follows items that are moved, completed, or renamed, here or elsewhere`() {
        let chosen = state(range(2, 3))
        let stored = (1...9).map { number in
            Item.sample(number, order: (10 - number) * 1_000, completed: number == 2 ? 1 : nil)
        }

        let mine = chosen.after(.moved(.sample(3), to: 8, at: noon), .completed([.sample(2)], at: noon))
        let theirs = chosen.after(.changedElsewhere(ItemsSnapshot(items: stored, revision: 2)))

        #expect(mine.selection.ids == [.sample(2), .sample(3)] && positions(mine) == [8, 9])
        #expect(theirs.selection.ids == [.sample(2), .sample(3)] && positions(theirs) == [7, 9])
    }

    @Test func `a removed item is deselected`() {
        let chosen = state(range(3, 4))

        #expect(chosen.after(.deleted([.sample(4)])).selection.ids == [.sample(3)])
        #expect(chosen.after(.deleted([.sample(3), .sample(4)])).selection.isEmpty)
    }

    @Test func `if the start of a range is removed, the rest is kept when another one starts`() {
        let next = state(range(3, 5)).after(.deleted([.sample(3)]), range(5, 2))

        #expect(next.selection.ids == [.sample(2), .sample(4), .sample(5)])
        #expect(next.after(range(2, 5)).selection.ids == [.sample(4), .sample(5)])
    }

    @Test func `items hidden by a filter are deselected, and ranges cover the items shown`() {
        var items = (1...9).map { Item.sample($0) }
        for index in [1, 3, 5] { items[index].title = "Café \(index)" }
        let chosen = Items.State(loaded: items).after(range(1, 9))

        let filtered = chosen.after(.filtered(" CAFE"))
        let ranged = filtered.after(.selected(.none), range(2, 6))
        let unfiltered = ranged.after(.filtered(""))

        #expect(filtered.selection.ids == [.sample(2), .sample(4), .sample(6)] && positions(filtered) == [1, 2, 3])
        #expect(ranged.selection.ids == [.sample(2), .sample(4), .sample(6)])
        #expect(positions(unfiltered) == [2, 4, 6])
        #expect(chosen.after(.filtered("nothing like that")).selection.isEmpty)
    }

    @Test func `actions that name an item that isn't shown do nothing`() {
        let chosen = state(toggle(3))

        for action in [toggle(99), range(3, 99), range(99, 3)] { #expect(chosen.after(action) == chosen) }
    }

    // MARK: Commands

    private func store(_ service: InMemoryItemsService) async throws -> Relux.Store {
        let store = try await Relux.Store {
            Items.Module(service: service, source: .counting(), watchesElsewhere: false)
        }
        try await store.perform(Items.Effect.load)
        return store
    }

    @Test func `a turn completes the active part of the selection, or else reopens it, or turns one item`()
        async throws
    {
        let service = InMemoryItemsService([.sample(1), .sample(2), .sample(3), .sample(4, completed: 1)])
        let store = try await store(service)
        let turn = Items.Command.turnSelection(or: .sample(1))

        try await store.perform(turn)
        let alone = try await store.state(of: Items.State.self).list
        try await store.perform(turn)
        await store.dispatch(Items.State.Action.selected(.ranged(from: .sample(2), to: .sample(4))))
        try await store.perform(turn)
        let completed = try await store.state(of: Items.State.self).list
        try await store.perform(turn)
        let reopened = try await store.state(of: Items.State.self).list
        try await store.perform(Items.Command.undo)

        #expect(alone.active.map(\.id) == [.sample(2), .sample(3)])
        #expect(completed.active.map(\.id) == [.sample(1)])
        #expect(reopened.completed.isEmpty)
        let undone = try await store.state(of: Items.State.self).list
        #expect(undone.active.map(\.id) == [.sample(1)] && undone.completed.count == 3)
    }
}
