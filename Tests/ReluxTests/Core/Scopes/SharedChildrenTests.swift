import Relux
import Testing

/// Two lists whose elements have the same ids.
@Suite("Children of two lists", .timeLimit(.minutes(10)))
struct SharedChildrenTests {
    private typealias Stack = Relux.Navigation.Stack<Int>

    private let observer = TraceObserver()

    private struct Shop: Relux.State {
        var home = Stack()
        var search = Stack()

        enum Action: Relux.Action { case home(Stack.Action), search(Stack.Action) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .home(let action): home.reduce(action)
            case .search(let action): search.reduce(action)
            }
        }
    }

    private struct Page: Relux.Module, Identifiable { let id: UInt64 }

    private static let module = Part<TagA>(
        states: [Shop()],
        children: [
            .each(of: Shop.self, \.home.entries) { entry, _ in Page(id: entry.id) },
            .each(of: Shop.self, \.search.entries) { entry, _ in Page(id: entry.id) },
        ])

    @Test(
        "two stacks whose entries open one instance are reported, whichever comes first, once",
        arguments: [false, true])
    func differentElements(inBatch: Bool) async throws {
        for actions: [Shop.Action] in [
            [.home(.push(7)), .search(.push(8))], [.search(.push(8)), .home(.push(7))],
            // An entry is one occurrence of its page.
            [.home(.push(7)), .search(.push(7))],
        ] {
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) { Self.module }

            if inBatch {
                await store.dispatch(contentsOf: actions)
            } else {
                for action in actions { await store.dispatch(action) }
            }
            await store.dispatch(Shop.Action.home(.push(9)))

            #expect(observer.reasons == ["sharedChild"])
            #expect(observer.refusals.entries.first?.description.contains("Page[1]") == true)
            #expect(observer.refusals.entries.first?.description.contains("different entries") == true)
        }
    }

    @Test("an entry that moves from stack to stack keeps its instance, and is no different one")
    func moved() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Self.module }

        await store.dispatch(Shop.Action.home(.push(7)))
        await store.dispatch(contentsOf: [Shop.Action.home(.pop), .search(.push(7))])

        #expect(observer.refusals.entries.isEmpty)
        #expect(await store.isOpen(store.scope(of: Page.self, id: 1)))
    }

    private struct Card: Identifiable, Hashable { let id: String; var text = "" }

    private struct Cards: Relux.State {
        var one: [Card] = []
        var other: [Card] = []

        struct Set: Relux.Action {
            let one: [Card]
            let other: [Card]
        }

        mutating func reduce(_ action: Set) { (one, other) = (action.one, action.other) }
    }

    @Test("elements that change while they are shared, or move in two steps, are not reported")
    func changed() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            Part<TagA>(
                states: [Cards()],
                children: [
                    .each(of: Cards.self, \.one) { card, _ in InstancePart(id: card.id) },
                    .each(of: Cards.self, \.other) { card, _ in InstancePart(id: card.id) },
                ])
        }
        let (old, new) = (Card(id: "a"), Card(id: "a", text: "new"))

        await store.dispatch(contentsOf: [
            Cards.Set(one: [old], other: []), .init(one: [old], other: [new]), .init(one: [], other: [new]),
        ])

        #expect(observer.refusals.entries.isEmpty)
        #expect(await store.isOpen(store.scope(of: InstancePart.self, id: "a")))
    }
}
