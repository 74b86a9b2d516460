import Foundation
import Relux
import ReluxTesting
import Testing

@Suite("Navigation.Tabs", .timeLimit(.minutes(10)))
struct TabsTests {
    private enum Tab: String, Hashable, Codable, CaseIterable { case home, search, settings }

    private typealias Tabs = Relux.Navigation.Tabs<Tab, String>

    private func reduced(_ actions: Tabs.Action..., from tabs: Tabs = Tabs(selected: .home)) -> Tabs {
        actions.reduce(into: tabs) { $0.reduce($1) }
    }

    private func texts(_ tabs: Tabs) -> [String] { tabs.entries.map { "\($0.id) \($0.page)" } }

    @Test("the first pages can be given, and have ids in their order")
    func initial() {
        let tabs = Tabs(
            selected: .search,
            [.search: .init(path: ["a"], modals: [.init("m")]), .home: .init(path: ["b"]), .settings: .init()])

        #expect(texts(tabs) == ["1 a", "2 m", "3 b"])
        #expect(tabs.selectedStack.layers == Layers(path: ["a"], modals: [.init("m")]))
    }

    @Test("an id is never used again, in whatever tab, and a chosen one can be used once")
    func usedIDs() {
        let tabs = reduced(
            .inSelected(.push("a", id: 7)), .in(.search, .push("b", id: 7)), .in(.search, .push("c")),
            .in(.search, .popToRoot), .in(.settings, .push("d")), .in(.settings, .push("e", id: 8)))

        #expect(texts(tabs) == ["7 a", "9 d"])
    }

    @Test("tabs are equal if they show the same entries in the same tabs")
    func equality() {
        let tabs = reduced(.in(.home, .push("a")), .in(.search, .push("b")))

        #expect(tabs == reduced(.in(.home, .push("a")), .in(.search, .push("b"))))
        #expect(tabs != reduced(.in(.search, .push("a")), .in(.home, .push("b"))))
        #expect(tabs != reduced(.select(.search), from: tabs))
        #expect(tabs != reduced(.in(.home, .replace("a")), from: tabs))
        #expect(tabs == reduced(.in(.settings, .push("c")), .in(.settings, .pop), from: tabs))
        #expect(tabs.hashValue == reduced(.in(.settings, .push("c")), .in(.settings, .pop), from: tabs).hashValue)
    }

    @Test("a decoded value equals the encoded one, and goes on with its ids")
    func codable() throws {
        var tabs = reduced(
            .in(.search, .push("a")), .inSelected(.push("b", id: 20)), .in(.search, .present("m")),
            .in(.search, .dismiss), .select(.settings))

        var decoded = try JSONDecoder().decode(Tabs.self, from: JSONEncoder().encode(tabs))

        #expect(decoded == tabs)
        #expect(texts(decoded) == texts(tabs))
        for action: Tabs.Action in [.inSelected(.push("c")), .in(.home, .push("d", id: 20)), .in(.home, .push("d"))] {
            tabs.reduce(action)
            decoded.reduce(action)
        }
        #expect(decoded == tabs)
        #expect(tabs.entries.map(\.id) == [1, 20, 22, 23])
    }

    @Test("tabs that are written by hand, with ids of their own or without, have ids that differ")
    func decodedByHand() throws {
        let text = """
            {"selected": "home", "tabs": [
                {"tab": "home", "stack": {"path": ["a", "b"], "modals": []}},
                {"tab": "search", "stack": {"path": ["c"], "modals": [], "ids": [1]}}
            ]}
            """

        let tabs = try JSONDecoder().decode(Tabs.self, from: Data(text.utf8))

        #expect(texts(tabs) == ["1 a", "2 b", "3 c"])
    }

    @Test("instances follow the entries of all tabs: the same page in two tabs is two of them")
    func instances() async throws {
        struct Page: Relux.Module, Identifiable { let id: UInt64 }
        let store = try await Relux.Store {
            Part<TagA>(
                states: [Tabs(selected: .home)],
                children: [.each(of: Tabs.self, \.entries) { entry, _ in Page(id: entry.id) }])
        }
        func open() async -> [UInt64] {
            var open: [UInt64] = []
            for id in 1...9 as ClosedRange<UInt64> where await store.isOpen(store.scope(of: Page.self, id: id)) {
                open.append(id)
            }
            return open
        }

        await store.dispatch(contentsOf: [Tabs.Action.in(.home, .push("a")), .in(.search, .push("a"))])
        let both = await open()
        await store.scope(of: Page.self, id: 2).dismiss()
        let one = await open()
        await store.reset()
        await store.dispatch(Tabs.Action.in(.search, .push("a")))

        #expect(both == [1, 2])
        #expect(one == [1])
        #expect(await open() == [3])
        #expect(try await store.state(of: Tabs.self)[.home].isEmpty)
    }

    @Test("a reset gives the same new ids in each process")
    func carriedOn() {
        let initial = Tabs(
            selected: .home, [.home: .init(path: ["a"]), .search: .init(path: ["b"]), .settings: .init(path: ["c"])])
        let used = reduced(
            .in(.home, .popToRoot), .in(.search, .replace("x")), .in(.settings, .push("y")), from: initial)
        var restored = initial

        restored.carryOn(from: used)

        #expect(texts(restored) == ["6 a", "7 b", "3 c"])
        #expect(restored[.home].entries.map(\.id) == [6])
        #expect(restored[.search].entries.map(\.id) == [7])
    }

    @Test("an action that does nothing keeps the storage of the entries")
    func sharedStorage() {
        let page = ComparedPage()
        var tabs = Relux.Navigation.Tabs<Tab, ComparedPage>(selected: .home, [.home: .init(path: [page, page])])
        let before = tabs.entries
        for action: Relux.Navigation.Tabs<Tab, ComparedPage>.Action in [
            .select(.search), .in(.home, .popFrom(9)), .in(.search, .pop), .inSelected(.dismissAll),
        ] { tabs.reduce(action) }
        let comparisons = page.comparisons

        #expect(tabs.entries == before)

        #expect(page.comparisons == comparisons)
    }

    @Test(
        "random programs leave the stacks that a stack for each tab would have; one selected again is emptied",
        arguments: 0..<30 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tabs = Tabs(selected: .home)
        var model: [Tab: Relux.Navigation.Stack<String>] = [:]
        var selected = Tab.home
        var seen: Set<UInt64> = []
        for _ in 0..<150 {
            let tab = Tab.allCases.randomElement(using: &random) ?? .home
            let page = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let before = tabs.entries
            if Int.random(in: 0..<10, using: &random) == 0 {
                let id = Bool.random(using: &random) ? before.randomElement(using: &random)?.id ?? 0 : 0
                for tab in Tab.allCases {
                    guard let stack = model[tab], let place = tabs[tab].entries.firstIndex(where: { $0.id == id })
                    else { continue }
                    model[tab]?.dismissElement(stack.entries[place].id)
                }
                tabs.dismissElement(id)
            } else if Int.random(in: 0..<8, using: &random) == 0 {
                if tab == selected { model[tab] = nil }
                selected = tab
                tabs.reduce(.select(tab))
                #expect(tabs.entries.allSatisfy(before.contains))
            } else {
                let actions: [Tabs.Stack.Action] = [
                    .push(page), .push(page, ifNotOnTop: true), .pop, .popTo(page), .popToRoot, .setPath([page, "b"]),
                    .replace(page), .present(page), .dismiss, .dismissAll, .popCount(2),
                    .show(.init(path: [page], modals: [.init("m", path: [page])])),
                ]
                let action = actions.randomElement(using: &random) ?? .pop
                model[tab, default: .init()].reduce(action)
                tabs.reduce(tab == selected ? .inSelected(action) : .in(tab, action))
            }

            for tab in Tab.allCases { #expect(tabs[tab].layers == (model[tab] ?? .init()).layers, "seed \(seed)") }
            #expect(tabs.selected == selected)
            #expect(tabs.selectedStack == tabs[selected])
            let all = Tab.allCases.flatMap { tabs[$0].entries }
            #expect(Set(all.map(\.id)) == Set(tabs.entries.map(\.id)))
            #expect(all.count == tabs.entries.count)
            let new = tabs.entries.filter { !before.contains($0) }.map(\.id)
            #expect(seen.isDisjoint(with: new), "seed \(seed)")
            seen.formUnion(new)
        }
    }
}
