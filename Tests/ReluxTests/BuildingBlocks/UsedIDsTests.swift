import Foundation
import Relux
import ReluxTesting
import Testing

/// An id is used once in the life of a store.
@Suite("The ids of a navigation stack, once used", .timeLimit(.minutes(10)))
struct UsedIDsTests {
    typealias Stack = Relux.Navigation.Stack<Int>
    typealias Actions = [Stack.Action]

    /// A state that contains a stack, and counts orders.
    private struct Shop: Relux.UndoableState, Relux.ContinuingState {
        var pages = Stack()
        var title = ""

        enum Action: Relux.Action, Equatable { case pages(Stack.Action), titled(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .pages(let action): pages.reduce(action)
            case .titled(let title): self.title = title
            }
        }

        mutating func carryOn(from replaced: Shop) { pages.carryOn(from: replaced.pages) }

        mutating func carryOn(fromRemoved removed: Shop) { pages.carryOn(fromRemoved: removed.pages) }
    }

    private func ids(_ store: Relux.Store) async throws -> [UInt64] {
        try await store.state(of: Stack.self).entries.map(\.id)
    }

    // MARK: Stores

    @Test("after a reset, new entries have new ids, also in the initial value")
    func reset() async throws {
        let store = try await Relux.Store { Part<TagA>(states: [Stack(path: [1, 2])]) }

        await store.dispatch(contentsOf: [Stack.Action.push(3), .popTo(1), .present(4)])
        await store.reset()
        let initial = try await ids(store)
        await store.dispatch(Stack.Action.push(5))

        // 1 was shown throughout. 2 had gone, so it is another entry.
        #expect(initial == [1, 5])
        #expect(try await ids(store) == [1, 5, 6])
        #expect(try await store.state(of: Stack.self).pages == [1, 2, 5])
    }

    @Test("replacing the module changes no ids, and a later reset uses none again")
    func replaced() async throws {
        let store = try await Relux.Store { Part<TagA>(states: [Stack()]) }
        await store.dispatch(contentsOf: [Stack.Action.push(1), .push(2)])

        try await store.replace(Part<TagA>(states: [Stack(path: [9])]))
        let replaced = try await ids(store)
        await store.reset()

        #expect(replaced == [1, 2])
        #expect(try await ids(store) == [3])
    }

    @Test(
        "chosen ids, also the highest, are accepted after a reset as before, kept, used once, and never counted",
        arguments: [
            (
                [], [.push(1), .push(2, id: 9), .push(3, id: 9)],
                [.push(4, id: 9), .push(5, id: 1), .push(6), .push(7, id: 10)], [9, 1, 10], [4, 5, 6]
            ),
            ([.push(1, id: 100), .push(2), .push(3, id: 7)], [.popToRoot], [], [100, 102, 7], [1, 2, 3]),
            (
                [], [.push(1, id: .max), .push(2), .push(3, id: .max - 3)], [.push(4), .push(5)],
                [.max - 2, .max - 4], [4, 5]
            ),
        ] as [(Actions, Actions, Actions, [UInt64], [Int])])
    func chosen(
        initial: Actions, before: Actions, after: Actions, expected: [UInt64], pages: [Int]
    ) async throws {
        let module = Part<TagA>(states: [initial.reduce(into: Stack()) { $0.reduce($1) }])
        let store = try await Relux.Store { module }

        await store.dispatch(contentsOf: before)
        await store.reset()
        await store.dispatch(contentsOf: after)

        #expect(try await ids(store) == expected)
        #expect(try await store.state(of: Stack.self).pages == pages)
    }

    // MARK: Undo

    @Test("an undo uses no id again, and what it brings back is new, unless it is still shown")
    func undo() {
        typealias Undoable = Relux.Undoable<Shop>
        var shop = Undoable(Shop())
        func ids() -> [UInt64] { shop.present.pages.entries.map(\.id) }
        shop.apply(.pages(.push(1)))
        shop.apply(.pages(.push(2)))
        shop.apply(.titled("Tea"))

        shop.reduce(.undo)
        let titleUndone = ids()
        shop.reduce(.undo)
        shop.reduce(.redo)
        let redone = ids()
        shop.reduce(.undo)
        shop.apply(.pages(.push(3)))
        let pushed = ids()
        shop.reduce(.undo)
        shop.apply(.pages(.popToRoot))
        shop.reduce(.undo)

        #expect(titleUndone == [1, 2])
        #expect(redone == [1, 3])
        #expect(pushed == [1, 4])
        #expect(ids() == [5])
        #expect(shop.present.pages.pages == [1])
    }

    @Test(
        "an adopted page keeps its id, so that two stores agree on what they save, unless it means another page here",
        arguments: [([1, 2], [1, 9], [1, 3]), ([1], [1, 2], [1, 2])] as [([Int], [Int], [UInt64])])
    func adopted(pages: [Int], adopted: [Int], ids: [UInt64]) {
        var (mine, theirs) = (Relux.Undoable(Shop()), Relux.Undoable(Shop()))
        for page in pages { mine.apply(.pages(.push(page))) }
        for page in adopted { theirs.apply(.pages(.push(page))) }

        mine.reduce(.adopt(theirs))

        #expect(mine.present.pages.entries.map(\.id) == ids)
        #expect(mine.present.pages.pages == adopted)
        #expect((mine == theirs) == (ids == [1, 2]))
    }

    @Test("the same actions give the same ids, also in a decoded stack, in whatever order branches are taken")
    func pure() throws {
        let actions: [Stack.Action] = [.push(1), .present(2), .dismiss, .push(3, id: 9), .setPath([3]), .push(4)]
        var stack = Stack(path: [0])
        stack.carryOn(from: Stack(path: [0, 1, 2]))
        let data = try JSONEncoder().encode(stack)

        func reduced(_ stack: Stack) -> Stack { actions.reduce(into: stack) { $0.reduce($1) } }
        let first = reduced(stack)

        #expect(reduced(stack) == first)
        #expect(reduced(try JSONDecoder().decode(Stack.self, from: data)) == first)
        #expect(first.entries.map(\.id) == [9, 10])
    }

    @Test("random programs use no id twice", arguments: 0..<40 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        let module = Part<TagA>(
            states: [Relux.Undoable(Shop(pages: Stack(path: [0, 1])), limit: 5)],
            reducers: [Relux.Undoable<Shop>.reducer])
        var random = SeededGenerator(seed: seed)
        let store = try await Relux.Store { module }
        func entries() async throws -> [Stack.Entry] {
            let shop = try await store.state(of: Relux.Undoable<Shop>.self)
            return shop.present.pages.entries
        }
        var shown = try await entries()
        var seen = Set(shown.map(\.id))

        for _ in 0..<120 {
            let page = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<2: await store.dispatch(Shop.Action.pages(.push(page)))
            case 2: await store.dispatch(Shop.Action.pages(.present(page)))
            case 3: await store.dispatch(Shop.Action.pages(.setPath([page, 1, 0, page])))
            case 4: await store.dispatch(Shop.Action.pages(.show(Stack(path: [0, page], modals: [.init(page)]))))
            case 5: await store.dispatch(Shop.Action.pages([.pop, .dismiss, .popToRoot, .replace(page)][page]))
            case 6: await store.dispatch(contentsOf: [Shop.Action.pages(.popToRoot), .pages(.push(page))])
            case 7, 8: await store.dispatch(Relux.Undoable<Shop>.Action.undo)
            case 9: await store.dispatch(Relux.Undoable<Shop>.Action.redo)
            case 10: await store.reset()
            default:
                await store.unregister(Part<TagA>.self)
                shown = []
                try await store.register(module)
            }
            let now = try await entries()
            let new = now.filter { !shown.contains($0) }.map(\.id)
            #expect(Set(now.map(\.id)).count == now.count)
            #expect(seen.isDisjoint(with: new), "seed \(seed)")
            seen.formUnion(new)
            shown = now
        }
    }
}
