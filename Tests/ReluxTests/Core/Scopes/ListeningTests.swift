import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Listening outward", .timeLimit(.minutes(10)))
struct ListeningTests {
    private typealias Items = Gallery.Items
    private typealias Pages = Gallery.Pages
    private typealias Page = Gallery.Page

    private let observer = RecordingObserver()
    private let heard = Trace<String>()
    private static let items = Part<TagA>(states: [Items()])

    /// A page whose reducer, rule, and saga listen to the items.
    private func listeningPage(_ id: Int, dependencies: [any Relux.Module] = []) -> Page {
        Page(
            id: id,
            reducers: [
                Relux.Reducer(of: Page.State.self, on: Items.Action.self, in: .enclosing) { state, action in
                    state.heard.append("\(action)")
                }
            ],
            rules: [
                Relux.Rule(on: Items.Action.self, in: .enclosing) { action, _ in
                    heard.note("rule \(id) \(action)")
                    return []
                }
            ],
            sagas: [
                Relux.Reaction(to: Items.Action.self, in: .enclosing) { action, context in
                    heard.note("saga \(context.run.scope?.description ?? "root") \(action)")
                }
            ],
            dependencies: dependencies
        )
    }

    private func shelf() async throws -> Relux.Store {
        try await Relux.Store(.init(observers: [observer])) { Gallery.Module(page: { listeningPage($0) }) }
    }

    /// A store with pages whose sagas listen.
    private func pages<A: Relux.Action>(
        hearing action: A.Type,
        _ body: @escaping @Sendable (_ page: Int, A, Relux.SagaContext) async throws -> Void
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(observers: [observer])) {
            Gallery.Module(page: { id in
                Page(id: id, sagas: [Relux.Reaction(to: A.self, in: .enclosing) { try await body(id, $0, $1) }])
            })
        }
    }

    @Test("a listener hears the actions of the root, and its owner still gets those that are dispatched in the page")
    func hearsTheRoot() async throws {
        let store = try await shelf()
        await store.dispatch(Pages.Action.open(1))
        let page = store.scope(of: Page.self, id: 1)

        await store.dispatch(Items.Action.add(4)).finished()
        await page.dispatch(Items.Action.add(5)).finished()

        #expect(try await store.state(of: Items.self).all == [1, 2, 3, 4, 5])
        #expect(try await page.state(of: Page.State.self).heard == ["add(4)", "add(5)"])
        #expect(
            heard.entries == [
                "rule 1 add(4)", "saga Gallery.Page[1] add(4)", "rule 1 add(5)", "saga Gallery.Page[1] add(5)",
            ])
        let record = try #require(observer.events.compactMap(\.actionReduced).last)
        #expect(record.scope == nil)
        #expect(record.states.map { "\($0)" } == ["Items", "State"])
        #expect(observer.refusals.isEmpty)
    }

    /// A rule that notes that it has heard of items.
    private func noting(_ name: String, in scope: Relux.HandlerScope = .enclosing) -> Relux.Rule {
        Relux.Rule(on: Items.Action.self, in: scope) { _, _ in
            heard.note(name)
            return []
        }
    }

    @Test("listeners are served in the order in which their instances were opened, after the owner")
    func order() async throws {
        let store = try await Relux.Store {
            Gallery.Module(
                rules: [noting("owner", in: .lexical)], page: { id in Page(id: id, rules: [noting("page \(id)")]) })
        }
        await store.dispatch {
            Pages.Action.open(9)
            Pages.Action.open(4)
        }

        await store.dispatch(Items.Action.add(4))

        #expect(heard.entries == ["owner", "page 9", "page 4"])
    }

    @Test("what an instance depends on inside listens after older instances")
    func orderOfDependencies() async throws {
        let store = try await Relux.Store {
            Gallery.Module(page: { Page(id: $0) })
            Page(id: 1, rules: [noting("page 1")])
            Page(id: 2, dependencies: [Part<TagA>(rules: [noting("inside page 2")])])
        }

        await store.dispatch(Items.Action.add(4))

        #expect(heard.entries == ["page 1", "inside page 2"])
    }

    @Test("a page that the action opens doesn't hear it, and one that it closes starts no saga")
    func openedAndClosed() async throws {
        let store = try await pages(hearing: Pages.Action.self) { id, action, _ in heard.note("\(id) \(action)") }

        await store.dispatch(Pages.Action.open(1)).finished()
        await store.dispatch(Pages.Action.open(2)).finished()
        await store.dispatch(Pages.Action.close(1)).finished()

        #expect(heard.entries == ["1 open(2)", "2 close(1)"])
    }

    @Test("what only listeners take goes to the root, from wherever it is dispatched, and streams in pages hear it")
    func onlyListeners() async throws {
        let store = try await pages(hearing: Gallery.Confirmed.self) { id, action, _ in
            heard.note("\(id) \(action.item)")
        }
        await store.dispatch(Pages.Action.open(1))
        await store.dispatch(Pages.Action.open(2))
        let page = store.scope(of: Page.self, id: 2)
        let stream = page.actionStream(of: Gallery.Confirmed.self)

        await page.dispatch(Gallery.Confirmed(item: 6)).finished()
        await store.dispatch(Gallery.Confirmed(item: 7)).finished()
        await store.dispatch(Pages.Action.close(1))
        await store.dispatch(Pages.Action.close(2))
        await store.dispatch(Gallery.Confirmed(item: 8))

        #expect(heard.entries.sorted() == ["1 6", "1 7", "2 6", "2 7"])
        #expect(await stream.elements().map(\.item) == [6, 7])
        let confirmations = observer.events.compactMap(\.actionReduced).filter { $0.action is Gallery.Confirmed }
        #expect(confirmations.map(\.scope) == [nil, nil, nil])
        // Nobody listens any more.
        #expect(observer.refusals.count == 1)
    }

    @Test("a record lists a state once, although handlers in two scopes reduce it")
    func statesOnce() async throws {
        let listening = Relux.Reducer(of: Items.self, on: Items.Action.self, in: .enclosing) { _, _ in }
        let items = Self.items
        let store = try await Relux.Store(.init(observers: [observer])) {
            items
            Page(id: 1, reducers: [listening], dependencies: [items])
        }

        await store.dispatch(Items.Action.add(4))

        let record = try #require(observer.events.compactMap(\.actionReduced).last)
        #expect(record.states.map { "\($0)" } == ["Items"])
    }

    @Test("an effect whose only saga listens in a page that the effect closes is reported as unhandled")
    func closedListener() async throws {
        let closing = Relux.Reducer(of: Pages.self, on: Work.self) { state, _ in state.open = [] }
        let store = try await pages(hearing: Work.self) { _, _, _ in }
        try await store.register(Part<TagA>(reducers: [closing], requires: [Gallery.Module.self]))
        await store.dispatch(Pages.Action.open(1))

        let ending = await Ending.of { try await store.perform(Work()) }

        #expect(ending == .unhandled)
        #expect(observer.refusals.count == 1)
    }

    @Test("an action whose only taker goes in the same step was taken")
    func takerGoes() async throws {
        let closing = Relux.Reducer(of: Pages.self, on: Tick.self) { state, _ in state.open = [] }
        let taker = Part<TagB>(reducers: [closing], requires: [Gallery.Module.self])
        let store = try await Relux.Store(.init(observers: [observer])) {
            Gallery.Module(page: { Page(id: $0, dependencies: [taker]) })
            taker
        }
        await store.dispatch(Pages.Action.open(1))
        // The page alone needs it from here on.
        await store.unregister(Part<TagB>.self)

        let receipt = await store.dispatch(Tick())

        #expect(await receipt.outcome().endings == [.returned])
        #expect(observer.refusals.isEmpty)
        #expect(try await store.state(of: Pages.self).open == [])
    }

    @Test("a page can be tested alone, with what its dependencies register inside it")
    func alone() async throws {
        let store = Relux.Store()
        let lease = try await store.attach(listeningPage(3, dependencies: [Self.items]))
        // The items of the page, because the root has none.
        await lease.scope.dispatch(Items.Action.add(4)).finished()

        #expect(try await lease.scope.state(of: Page.State.self).heard == ["add(4)"])
        #expect(heard.entries == ["rule 3 add(4)", "saga Gallery.Page[3] add(4)"])
        await lease.end()
    }

    @Test("a listener follows the innermost taker when that appears and goes")
    func changingTakers() async throws {
        let store = try await shelf()
        await store.dispatch(Pages.Action.open(1))
        let page = store.scope(of: Page.self, id: 1)

        try await page.register(Self.items)
        await store.dispatch(Items.Action.add(10))
        await page.dispatch(Items.Action.add(11))
        await page.unregister(Part<TagA>.self)
        await store.dispatch(Items.Action.add(12))
        try await store.idle()

        #expect(try await page.state(of: Page.State.self).heard == ["add(11)", "add(12)"])
    }

    @Test("in the root, listening makes no difference")
    func inTheRoot() async throws {
        let store = try await Relux.Store {
            Gallery.Module(sagas: [
                Relux.Reaction(to: Items.Action.self, in: .enclosing) { action, _ in heard.note("\(action)") }
            ])
        }

        await store.dispatch(Items.Action.add(4)).finished()

        #expect(heard.entries == ["add(4)"])
    }

    @Test("a listening saga's runs end with its instance")
    func runsEnd() async throws {
        let gate = Gate()
        let store = try await pages(hearing: Items.Action.self) { _, _, context in
            await gate.pass()
            await context.dispatch(Page.State.Action.note("late"))
        }
        await store.dispatch(Pages.Action.open(1))
        let dispatched = await store.dispatch(Items.Action.add(4))
        await gate.arrivals()

        await store.dispatch(Pages.Action.close(1))
        gate.open()
        await dispatched.finished()

        #expect(observer.reasons == ["staleWrite"])
    }

    @Test("nothing can listen to the action of an instance")
    func childActions() async throws {
        let saga = Relux.Reaction(to: Relux.ChildAction<Page, Page.State.Action>.self, in: .enclosing) { _, _ in }

        let error = await Relux.StoreError.name { try await Relux.Store().attach(Page(id: 1, sagas: [saga])) }

        #expect(error == "listensToChildAction")
    }
}

@Suite("Shadows", .timeLimit(.minutes(10)))
struct ShadowTests {
    private typealias Items = Gallery.Items
    private typealias Page = Gallery.Page

    private let observer = RecordingObserver()
    private let items = Part<TagA>(states: [Items()])
    private let store: Relux.Store

    init() { store = Relux.Store(.init(observers: [observer])) }

    /// The shadows that have been reported: the action, and the modules that take it.
    private var shadows: [String] {
        observer.refusals.map {
            guard case .shadows(let action, in: let module, owner: let owner) = $0.reason else { return "\($0)" }
            return "\(action) \(module) \(owner)"
        }
    }

    private func reaction(_ scope: Relux.HandlerScope = .lexical) -> any Relux.Saga {
        Relux.Reaction(to: Items.Action.self, in: scope) { _, _ in }
    }

    private func isShadow(_ error: any Error) -> Bool {
        guard case Relux.StoreError.shadows(let action, owner: let owner) = error else { return false }
        return action == Items.Action.self && owner == Part<TagA>.self
    }

    @Test("a handler that would take the actions of a state outside is refused, unless its instance owns such a state")
    func handlers() async throws {
        try await store.register(items)
        let saga = Page(id: 1, sagas: [reaction()])
        let reducer = Page(
            id: 1, reducers: [Relux.Reducer(of: Page.State.self, on: Items.Action.self) { _, _ in }])
        let rule = Page(id: 1, rules: [Relux.Rule(on: Items.Action.self) { _, _ in [] }])

        for page in [saga, reducer, rule] {
            await #expect(performing: { _ = try await store.attach(page) }, throws: isShadow)
        }
        _ = try await store.attach(Page(id: 2, sagas: [reaction(.enclosing)]))
        _ = try await store.attach(Page(id: 3, sagas: [reaction(.own)]))
        _ = try await store.attach(InstancePart(id: "own", states: [Items()], sagas: [reaction()]))
        #expect(observer.refusals.isEmpty)
    }

    @Test("the order within one registration makes no difference", arguments: [false, true])
    func order(isReversed: Bool) async throws {
        let modules: [any Relux.Module] = [Page(id: 1, sagas: [reaction()]), items]

        await #expect(
            performing: { try await store.register(contentsOf: isReversed ? modules.reversed() : modules) },
            throws: isShadow)
    }

    @Test("a child that would shadow is reported and left out")
    func children() async throws {
        try await store.register(Gallery.Module(page: { Page(id: $0, sagas: [reaction()]) }))

        await store.dispatch(Gallery.Pages.Action.open(1))

        let isShadow = if case .childNotRegistered(.shadows)? = observer.refusals.first?.reason { true } else { false }
        #expect(isShadow, "\(observer.refusals)")
    }

    /// How an instance that takes an action, and a module outside that takes it as well, are registered.
    enum Arrival: CaseIterable {
        case ownerFirst, pageFirst, ownerFirstInOneCall, pageFirstInOneCall, byReplacement
    }

    @Test(
        "taking another action away from a module outside is reported, whichever was there first",
        arguments: Arrival.allCases)
    func otherActions(_ arrival: Arrival) async throws {
        let owner = Part<TagA>(sagas: [WorkSaga { _, _ in }])
        let page = Page(id: 1, sagas: [WorkSaga { _, _ in }])

        switch arrival {
        case .ownerFirst:
            try await store.register(owner)
            try await store.register(page)
        case .pageFirst:
            try await store.register(page)
            try await store.register(owner)
        case .ownerFirstInOneCall: try await store.register(owner, page)
        case .pageFirstInOneCall: try await store.register(page, owner)
        case .byReplacement:
            try await store.register(Page(id: 1), owner)
            try await store.replace(page)
        }
        // These have nothing to do with it.
        try await store.register(Part<TagB>.counting(), Page(id: 2))

        #expect(shadows == ["Work Page Part<TagA>"])
    }

    @Test(
        "a flow that takes an effect away from a module outside is reported",
        arguments: [true, false], [true, false])
    func flows(isOwnerFirst: Bool, isOwnedByFlow: Bool) async throws {
        let flow = QuestionFlow { _, _ in 1 }
        let saga = Relux.Reaction(to: Question.self) { _, _ in }
        let owner = isOwnedByFlow ? Part<TagA>(flows: [flow]) : Part<TagA>(sagas: [saga])
        let modules: [any Relux.Module] = [owner, Page(id: 1, flows: [flow])]

        for module in isOwnerFirst ? modules : modules.reversed() { try await store.register(contentsOf: [module]) }

        #expect(shadows == ["Question Page Part<TagA>"])
    }

    @Test("an owner that is registered later is reported")
    func laterOwner() async throws {
        let scopes: [Relux.HandlerScope] = [.lexical, .own, .enclosing]
        var leases: [Relux.Lease] = []
        for (id, scope) in scopes.enumerated() {
            leases.append(try await store.attach(Page(id: id, sagas: [reaction(scope)])))
        }

        try await store.register(items)

        #expect(observer.refusals.count == 1)
        for lease in leases { await lease.end() }
    }

    @Test("instances at different places don't shadow each other, nor do those of one module inside one another")
    func otherPlaces() async throws {
        let saga = Relux.Reaction(to: Relux.ChildAction<Page, Page.State.Action>.self) { _, _ in }
        try await store.register(Part<TagA>(sagas: [saga]))

        let outer = try await store.attach(Page(id: 1, sagas: [saga, WorkSaga { _, _ in }]))
        _ = try await outer.scope.attach(Page(id: 2, sagas: [WorkSaga { _, _ in }]))

        #expect(observer.refusals.isEmpty)
        await outer.end()
    }
}
