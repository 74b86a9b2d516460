import Relux
import Testing

/// Two lists whose elements have the same ids.
@Suite("Children of two lists", .timeLimit(.minutes(10)))
struct SharedChildrenTests {
    private typealias Stack = Relux.Navigation.Stack<Int>

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

    private struct Module: Relux.Module {
        var states: [any Relux.State] { [Shop()] }
        var children: [Relux.Children] {
            [
                .each(of: Shop.self, \.home.entries) { entry, _ in Page(id: entry.id) },
                .each(of: Shop.self, \.search.entries) { entry, _ in Page(id: entry.id) },
            ]
        }
    }

    @Test("two stacks whose entries open one instance are reported, whichever comes first, once")
    func differentElements() async throws {
        for actions: [Shop.Action] in [
            [.home(.push(7)), .search(.push(8))], [.search(.push(8)), .home(.push(7))],
            // An entry is one occurrence of its page.
            [.home(.push(7)), .search(.push(7))],
        ] {
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) { Module() }

            for action in actions { await store.dispatch(action) }
            await store.dispatch(Shop.Action.home(.push(9)))

            #expect(observer.refusals.entries.count == 1)
            guard case .sharedChild(let scope) = observer.refusals.entries.first?.reason else {
                Issue.record("\(observer.refusals.entries)")
                return
            }
            #expect(scope == store.scope(of: Page.self, id: 1))
            #expect(observer.refusals.entries.first?.description.contains("different entries") == true)
        }
    }

    @Test("an entry that moves from stack to stack keeps its instance, and is no different one")
    func moved() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Module() }

        await store.dispatch(Shop.Action.home(.push(7)))
        await store.dispatch(contentsOf: [Shop.Action.home(.pop), .search(.push(7))])

        #expect(observer.refusals.entries.isEmpty)
        #expect(await store.isOpen(store.scope(of: Page.self, id: 1)))
    }

    @Test("the same is reported for a batch")
    func batch() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Module() }

        await store.dispatch(contentsOf: [Shop.Action.home(.push(7)), .search(.push(8))])

        #expect(observer.refusals.entries.count == 1)
    }

    @Test("elements that change while they are shared, or move in two steps, are not reported")
    func changed() async throws {
        struct Card: Identifiable, Hashable { let id: String; var text = "" }
        struct Board: Relux.State {
            var todo: [Card] = []
            var done: [Card] = []

            enum Action: Relux.Action { case set(todo: [Card], done: [Card]) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .set(let todo, let done): (self.todo, self.done) = (todo, done)
                }
            }
        }
        struct Item: Relux.Module, Identifiable { let id: String }
        struct Module: Relux.Module {
            var states: [any Relux.State] { [Board()] }
            var children: [Relux.Children] {
                [
                    .each(of: Board.self, \.todo) { card, _ in Item(id: card.id) },
                    .each(of: Board.self, \.done) { card, _ in Item(id: card.id) },
                ]
            }
        }
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Module() }
        let (old, new) = (Card(id: "a"), Card(id: "a", text: "new"))

        await store.dispatch(contentsOf: [
            Board.Action.set(todo: [old], done: []), .set(todo: [old], done: [new]), .set(todo: [], done: [new]),
        ])

        #expect(observer.refusals.entries.isEmpty)
        #expect(await store.isOpen(store.scope(of: Item.self, id: "a")))
    }

    @Test("two lists of plain ids share an instance, and an element that moves from list to list keeps it")
    func meant() async throws {
        struct Lists: Relux.State {
            var one: [String] = []
            var other: [String] = []

            enum Action: Relux.Action { case set(one: [String], other: [String]) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .set(let one, let other): (self.one, self.other) = (one, other)
                }
            }
        }
        struct Item: Relux.Module, Identifiable { let id: String }
        struct Module: Relux.Module {
            var states: [any Relux.State] { [Lists()] }
            var children: [Relux.Children] {
                [
                    .each(of: Lists.self, \.one) { id, _ in Item(id: id) },
                    .each(of: Lists.self, \.other) { id, _ in Item(id: id) },
                ]
            }
        }
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Module() }

        await store.dispatch(Lists.Action.set(one: ["a"], other: ["a"]))
        await store.dispatch(Lists.Action.set(one: [], other: ["a"]))
        await store.dispatch(Lists.Action.set(one: ["a"], other: []))

        #expect(observer.refusals.entries.isEmpty)
        #expect(await store.isOpen(store.scope(of: Item.self, id: "a")))
    }
}
