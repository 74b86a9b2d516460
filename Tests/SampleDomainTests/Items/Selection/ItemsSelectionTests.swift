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

    /// The selection as ranges of positions, starting at 1.
    private func ranges(_ state: Items.State) -> [ClosedRange<Int>] {
        state.selection.ranges(in: state.shown.all).map { $0.lowerBound + 1...$0.upperBound }
    }

    @Test func `one item is selected in place of all others`() {
        let state = state(.selected(.all), .selected(.picked(.sample(4))))

        #expect(ranges(state) == [4...4])
        #expect(state.selection.anchor == .sample(4) && state.selection.cursor == .sample(4))
        #expect(state.selectedItems.map(\.id) == [.sample(4)])
    }

    @Test func `a range extends from the anchor to the target, in either direction, and only the target moves`() {
        let down = state(.selected(.picked(.sample(4))), .selected(.extended(to: .sample(7))))
        let up = down.after(.selected(.extended(to: .sample(2))))

        #expect(ranges(down) == [4...7])
        #expect(ranges(up) == [2...4])
        #expect(up.selection.anchor == .sample(4) && up.selection.cursor == .sample(2))
    }

    @Test func `without an anchor a range is one item`() {
        #expect(ranges(state(.selected(.extended(to: .sample(3))))) == [3...3])
    }

    @Test func `toggled items are separate ranges, which merge when they touch and split again`() {
        let apart = state(
            .selected(.picked(.sample(2))), .selected(.toggled(.sample(4))), .selected(.toggled(.sample(6))))
        let merged = apart.after(.selected(.toggled(.sample(3))))
        let split = merged.after(.selected(.toggled(.sample(3))))

        #expect(ranges(apart) == [2...2, 4...4, 6...6])
        #expect(ranges(merged) == [2...4, 6...6])
        #expect(ranges(split) == [2...2, 4...4, 6...6])
    }

    @Test func `a range next to toggled items grows over them, and keeps them when it shrinks`() {
        let grown = state(
            .selected(.picked(.sample(6))), .selected(.toggled(.sample(2))), .selected(.extended(to: .sample(7))))
        let shrunk = grown.after(.selected(.extended(to: .sample(3))))

        #expect(ranges(grown) == [2...7])
        #expect(ranges(shrunk) == [2...3, 6...6])
    }

    @Test func `arrow keys move, and with shift they extend, up to the ends`() {
        let moved = state(.selected(.stepped(by: 1, extending: false)), .selected(.stepped(by: 2, extending: false)))
        let extended = moved.after(
            .selected(.stepped(by: 1, extending: true)), .selected(.stepped(by: 1, extending: true)))
        let back = extended.after(.selected(.stepped(by: -4, extending: true)))

        #expect(ranges(moved) == [3...3])
        #expect(ranges(extended) == [3...5])
        #expect(ranges(back) == [1...3])
        #expect(ranges(back.after(.selected(.stepped(by: .max, extending: false)))) == [9...9])
        #expect(ranges(back.after(.selected(.stepped(by: .min, extending: false)))) == [1...1])
        #expect(ranges(state(.selected(.stepped(by: -1, extending: true)))) == [9...9])
        #expect(Items.State().after(.selected(.stepped(by: 1, extending: false))).selection.isBlank)
    }

    @Test func `from elsewhere a new range starts in addition to the selection, and from its end it continues`() {
        let first = state(.selected(.ranged(from: .sample(1), to: .sample(2))))
        let second = first.after(
            .selected(.ranged(from: .sample(5), to: .sample(6))), .selected(.ranged(from: .sample(6), to: .sample(7))))
        let shorter = second.after(.selected(.ranged(from: .sample(7), to: .sample(6))))
        let inside = shorter.after(.selected(.ranged(from: .sample(1), to: .sample(1))))

        #expect(ranges(first) == [1...2])
        #expect(ranges(second) == [1...2, 5...7])
        #expect(ranges(shorter) == [1...2, 5...6])
        #expect(ranges(inside) == [1...2, 5...6])
    }

    @Test func `after none, and after an item was deselected, a range starts where it is requested`() {
        let none = state(.selected(.picked(.sample(3))), .selected(.none))
        let off = state(.selected(.toggled(.sample(3))), .selected(.toggled(.sample(3))))

        #expect(ranges(none.after(.selected(.ranged(from: .sample(3), to: .sample(4))))) == [3...4])
        #expect(ranges(off.after(.selected(.ranged(from: .sample(3), to: .sample(2))))) == [2...3])
    }

    @Test func `none keeps the cursor, and all selects what is shown`() {
        let none = state(.selected(.picked(.sample(3))), .selected(.none))
        let all = state(.filtered("Item 2"), .selected(.all))

        #expect(none.selection.isEmpty && none.selection.cursor == .sample(3))
        #expect(ranges(none.after(.selected(.stepped(by: 1, extending: false)))) == [4...4])
        #expect(all.selection.ids == [.sample(2)])
    }

    @Test func `it follows items that are moved, completed, or renamed, here or elsewhere`() {
        let chosen = state(.selected(.picked(.sample(2))), .selected(.extended(to: .sample(3))))
        let stored = (1...9).map { number in
            Item.sample(number, order: (10 - number) * 1_000, completed: number == 2 ? 1 : nil)
        }

        let mine = chosen.after(.moved(.sample(3), to: 8, at: noon), .completed([.sample(2)], at: noon))
        let theirs = chosen.after(.changedElsewhere(ItemsSnapshot(items: stored, revision: 2)))

        #expect(mine.selection.ids == [.sample(2), .sample(3)] && ranges(mine) == [8...9])
        #expect(theirs.selection.ids == [.sample(2), .sample(3)] && ranges(theirs) == [7...7, 9...9])
    }

    @Test func `a removed item is deselected, and the cursor passes to the next or the last item`() {
        let chosen = state(.selected(.picked(.sample(3))), .selected(.extended(to: .sample(4))))

        let some = chosen.after(.deleted([.sample(4)]))
        let all = chosen.after(.deleted([.sample(3), .sample(4)]))
        let rest = chosen.after(.deleted((3...9).map(Item.ID.sample)))
        let empty = rest.after(.deleted([.sample(1), .sample(2)]))

        #expect(some.selection.ids == [.sample(3)])
        #expect(some.selection.anchor == .sample(3) && some.selection.cursor == .sample(5))
        #expect(all.selection.isEmpty && all.selection.cursor == .sample(5) && all.selection.anchor == .sample(5))
        #expect(rest.selection.cursor == .sample(2))
        #expect(empty.selection.isBlank)
    }

    @Test func `if the anchor is removed, the rest of its range is kept when another one is started`() {
        let chosen = state(.selected(.picked(.sample(3))), .selected(.extended(to: .sample(5))))

        let next = chosen.after(.deleted([.sample(3)]), .selected(.extended(to: .sample(1))))

        #expect(next.selection.ids == [.sample(1), .sample(2), .sample(4), .sample(5)])
    }

    @Test func `items hidden by a filter are deselected, and ranges cover the items shown`() {
        var items = (1...9).map { Item.sample($0) }
        for index in [1, 3, 5] { items[index].title = "Café \(index)" }
        let chosen = Items.State(loaded: items).after(.selected(.all))

        let filtered = chosen.after(.filtered(" CAFE"))
        let ranged = filtered.after(.selected(.picked(.sample(2))), .selected(.extended(to: .sample(6))))
        let unfiltered = ranged.after(.filtered(""))

        #expect(filtered.selection.ids == [.sample(2), .sample(4), .sample(6)] && ranges(filtered) == [1...3])
        #expect(ranged.selection.ids == [.sample(2), .sample(4), .sample(6)])
        #expect(ranges(unfiltered) == [2...2, 4...4, 6...6])
        #expect(chosen.after(.filtered("nothing like that")).selection.isBlank)
    }

    @Test func `actions that name an item that isn't shown do nothing`() {
        let chosen = state(.selected(.picked(.sample(3))))

        for action: Items.Selection.Action in [
            .picked(.sample(99)), .extended(to: .sample(99)), .toggled(.sample(99)),
            .ranged(from: .sample(3), to: .sample(99)), .ranged(from: .sample(99), to: .sample(3)),
        ] {
            #expect(chosen.after(.selected(action)) == chosen)
        }
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
