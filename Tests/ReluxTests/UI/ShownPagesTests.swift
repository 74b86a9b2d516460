import Relux
import ReluxTesting
import Testing

/// What is shown is what is there: the entries of view states, and what a tap on them does.
@Suite("The pages that a screen shows", .timeLimit(.minutes(10))) @MainActor
struct ShownPagesTests {
    private typealias Stack = Relux.Navigation.Stack<Int>

    private struct Page: Relux.Module, Identifiable {
        struct Tapped: Relux.Action {}

        struct State: Relux.State {
            typealias Action = Never
            var taps = 0
        }

        let id: UInt64
        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] { [.init(of: State.self, on: Tapped.self) { state, _ in state.taps += 1 }] }
    }

    private struct Module: Relux.Module {
        var states: [any Relux.State] { [Stack()] }
        var children: [Relux.Children] { [.each(of: Stack.self, \.entries) { entry, _ in Page(id: entry.id) }] }
    }

    private let observer = TraceObserver()

    private let store: Relux.Store
    private let pages: Relux.UI.ViewState<Stack>
    private let shop: Relux.UI.ViewState<Shop>

    init() throws {
        store = try Relux.Store(.init(observers: [observer]), modules: [Module(), Part<TagA>(states: [Shop()])])
        pages = try store.viewState(of: Stack.self)
        shop = try store.viewState(of: Shop.self)
    }

    /// The refusals, each as its reason's case.
    private var lateBindings: [Relux.Refusal] {
        observer.refusals.entries.filter { if case .lateBinding = $0.reason { true } else { false } }
    }

    @Test("a page that is pushed again in the batch that pops it is another one: taps reach it, and back pops it")
    func pushedAgain() throws {
        store.doNow(Stack.Action.push(7))
        let first = pages.value.entries

        store.doNow(contentsOf: [Stack.Action.popToRoot, .push(7)])
        let shown = pages.value.entries
        let stored = try store.lookNow(at: Stack.self).entries
        let page = store.scope(of: Page.self, id: try #require(shown.last?.id))
        page.doNow(Page.Tapped())
        let taps = try page.lookNow(at: Page.State.self).taps
        pages.pathBinding(\.self).wrappedValue = []

        #expect(shown != first)
        #expect(shown == stored)
        #expect(taps == 1)
        #expect(pages.value.isEmpty)
        #expect(try store.lookNow(at: Stack.self).isEmpty)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a sheet that is presented again in the batch that dismisses it can be closed")
    func presentedAgain() throws {
        store.doNow(Stack.Action.present(7))
        let first = pages.value.modalEntries

        store.doNow(contentsOf: [Stack.Action.dismissAll, .present(7)])
        let shown = pages.value.modalEntries
        pages.modalBinding(\.self).wrappedValue = nil

        #expect(shown != first)
        #expect(try store.lookNow(at: Stack.self).isEmpty)
        #expect(pages.value.isEmpty)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test(
        "the binding of a sheet from before never closes a later one, even one with equal content",
        arguments: ["reset", "replace", "registration", "dismissal"])
    func laterSheet(way: String) async throws {
        store.doNow(Stack.Action.present(1))
        let old = pages.modalBinding(\.self)
        switch way {
        case "reset": await store.reset()
        case "replace":
            try await store.replace(Module())
            store.doNow(Stack.Action.dismissAll)
        case "registration":
            await store.unregister(Module.self)
            try await store.register(Module())
        default: store.doNow(Stack.Action.dismiss)
        }
        store.doNow(Stack.Action.present(1))

        old.wrappedValue = nil

        #expect(old != pages.modalBinding(\.self))
        #expect(pages.value.modals == [.init(1)])
        #expect(try store.lookNow(at: Stack.self).modals == [.init(1)])
    }

    @Test("each layer of modal pages has a binding of its own")
    func layers() {
        for page in 1...2 { store.doNow(Stack.Action.present(page)) }
        let (lower, upper) = (pages.modalBinding(\.self), pages.modalBinding(\.self, layer: 1))

        #expect(lower.wrappedValue?.page == 1)
        #expect(upper.wrappedValue?.page == 2)
        #expect(pages.modalBinding(\.self, layer: 2).wrappedValue == nil)
        upper.wrappedValue = nil
        #expect(pages.value.modals == [.init(1)])
        lower.wrappedValue = nil
        #expect(pages.value.isEmpty)
    }

    // MARK: Bindings that were made too early

    @Test("a binding made while no sheet was shown closes no sheet, and this is reported")
    func earlySheet() throws {
        let early = pages.modalBinding(\.self)

        store.doNow(Stack.Action.present(1))
        early.wrappedValue = nil

        #expect(pages.value.modals == [.init(1)])
        #expect(lateBindings.count == 1)
        #expect(lateBindings.first?.action == nil)
        #expect(lateBindings.first?.description.contains("in each `body`") == true)
        #expect(lateBindings.first?.callSite?.fileID.description.hasSuffix("ShownPagesTests.swift") == true)
    }

    @Test("a binding of a path that was made before the last push doesn't pop it, and this is reported")
    func earlyPath() throws {
        let empty = pages.pathBinding(\.self)
        store.doNow(Stack.Action.push(1))
        let one = pages.pathBinding(\.self)
        store.doNow(Stack.Action.push(2))

        empty.wrappedValue = []
        one.wrappedValue = Array(one.wrappedValue.prefix(1))

        #expect(pages.value.path == [1, 2])
        #expect(lateBindings.count == 2)
        pages.pathBinding(\.self).wrappedValue.removeLast()
        #expect(pages.value.path == [1])
        #expect(lateBindings.count == 2)
    }

    @Test(
        "a path that isn't the beginning of the shown one makes no action, and is reported to nobody",
        arguments: [true, false])
    func foreignPath(isLonger: Bool) {
        for page in 1...2 { store.doNow(Stack.Action.push(page)) }
        let shown = pages.value.entries
        let binding = pages.pathBinding(\.self)

        binding.wrappedValue = isLonger ? shown + shown : shown.reversed()

        #expect(pages.value.path == [1, 2])
        #expect(observer.refusals.entries.isEmpty)
        #expect(binding != pages.pathBinding(\.self))
    }

    @Test("a binding that was made too early fails no test")
    func failsNoTest() async {
        let report = await Simulation.explore(seeds: 0..<1) { world in
            let store = try await world.store { Module() }
            try await world.onMainActor {
                let pages = try store.viewState(of: Stack.self)
                let early = pages.modalBinding(\.self)
                store.dispatchNow(Stack.Action.present(1))
                early.wrappedValue = nil
                #expect(pages.value.modals == [.init(1)])
            }
        }

        #expect(report.failure == nil, "\(report)")
    }

    // MARK: Stacks and tabs inside a state

    private enum Tab: Hashable { case home, search }

    private struct Shop: Relux.State {
        var home = Stack()
        var tabs = Relux.Navigation.Tabs<Tab, Int>(selected: .home)

        enum Action: Relux.Action, Equatable {
            case home(Stack.Action), tabs(Relux.Navigation.Tabs<Tab, Int>.Action)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .home(let action): home.reduce(action)
            case .tabs(let action): tabs.reduce(action)
            }
        }
    }

    @Test("a stack in a state of one's own is bound by the action that forwards")
    func ownStack() throws {
        for page in 1...3 { store.doNow(Shop.Action.home(.push(page))) }
        store.doNow(Shop.Action.home(.present(4)))
        func path() -> Relux.UI.ViewBinding<[Stack.Entry]> { shop.pathBinding(\.home, sending: Shop.Action.home) }
        func sheet() -> Relux.UI.ViewBinding<Stack.Entry?> { shop.modalBinding(\.home, sending: Shop.Action.home) }
        let (before, again) = (path(), path())

        sheet().wrappedValue = nil
        let dismissed = shop.value.home.layers
        path().wrappedValue.removeLast(2)

        #expect(before == again)
        #expect(dismissed == Layers(path: [1, 2, 3], modals: []))
        #expect(shop.value.home.path == [1])
        #expect(
            observer.records.entries.suffix(2).map { $0.action as? Shop.Action } == [
                .home(.dismissEntry(4)), .home(.popFrom(2)),
            ])
    }

    @Test("tabs in a state of one's own are bound by the action that forwards")
    func ownTabs() throws {
        for page in 1...3 { store.doNow(Shop.Action.tabs(.in(.search, .push(page)))) }
        store.doNow(Shop.Action.tabs(.in(.search, .present(4))))

        shop.modalBinding(\.tabs, of: .search, sending: Shop.Action.tabs).wrappedValue = nil
        shop.pathBinding(\.tabs, of: .search, sending: Shop.Action.tabs).wrappedValue.removeLast()

        #expect(shop.value.tabs[.search].layers == Layers(path: [1, 2], modals: []))
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("each tab has a path and sheets of its own")
    func tabs() throws {
        typealias Tabs = Relux.Navigation.Tabs<Tab, Int>
        let store = try Relux.Store(
            .init(observers: [observer]), modules: [Part<TagB>(states: [Tabs(selected: .home)])])
        let tabs = try store.viewState(of: Tabs.self)
        for tab in [Tab.home, .search] {
            store.doNow(contentsOf: [Tabs.Action.in(tab, .push(7)), .in(tab, .push(8)), .in(tab, .present(9))])
        }
        let (home, search) = (tabs.pathBinding(of: .home), tabs.pathBinding(of: .search))
        let sheet = tabs.modalBinding()

        #expect(home.wrappedValue.map(\.page) == search.wrappedValue.map(\.page))
        #expect(Set((home.wrappedValue + search.wrappedValue).map(\.id)).count == 4)
        #expect(home != search)
        #expect(sheet.wrappedValue == tabs.modalBinding(of: .home).wrappedValue)
        #expect(sheet.wrappedValue != tabs.modalBinding(of: .search).wrappedValue)
        #expect(tabs.modalBinding(of: .home, layer: 1).wrappedValue == nil)
        // The selection changes before the sheet of the former tab reports that it was closed.
        store.doNow(Tabs.Action.select(.search))
        sheet.wrappedValue = nil
        search.wrappedValue = []
        #expect(tabs.value[.home].layers == Layers(path: [7, 8], modals: []))
        #expect(tabs.value[.search].isEmpty)
        tabs.pathBinding(of: .home).wrappedValue.removeLast()
        #expect(tabs.value[.home].path == [7])
        tabs.binding(\.selected, sending: Tabs.Action.select).wrappedValue = .home
        #expect(tabs.value.selected == .home)
        #expect(observer.refusals.entries.isEmpty)
    }
}
