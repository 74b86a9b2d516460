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

    @Test("listeners are served in the order in which their instances were opened, after the owner")
    func order() async throws {
        let order = Trace<String>()
        @Sendable func noting(_ name: String, in scope: Relux.HandlerScope = .lexical) -> Relux.Rule {
            Relux.Rule(on: Items.Action.self, in: scope) { _, _ in
                order.note(name)
                return []
            }
        }
        let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) {
            Gallery.Module(
                rules: [noting("owner")],
                page: { id in
                    Page(
                        id: id,
                        rules: [
                            noting("page \(id)", in: .enclosing)
                        ])
                })
        }
        await store.dispatch {
            Pages.Action.open(9)
            Pages.Action.open(4)
        }

        await store.dispatch(Items.Action.add(4))

        #expect(order.entries == ["owner", "page 9", "page 4"])
    }

    @Test("what an instance depends on inside listens after older instances")
    func orderOfDependencies() async throws {
        struct Inside: Relux.Module {
            let rules: [Relux.Rule]
        }
        let order = Trace<String>()
        @Sendable func listener(_ name: String) -> Relux.Rule {
            Relux.Rule(on: Items.Action.self, in: .enclosing) { _, _ in
                order.note(name)
                return []
            }
        }
        let store = try await Relux.Store {
            Gallery.Module(page: { Page(id: $0) })
            Page(id: 1, rules: [listener("page 1")])
            Page(id: 2, dependencies: [Inside(rules: [listener("inside page 2")])])
        }

        await store.dispatch(Items.Action.add(4))

        #expect(order.entries == ["page 1", "inside page 2"])
    }

    @Test("a page that the action opens doesn't hear it, and one that it closes starts no saga")
    func openedAndClosed() async throws {
        let store = try await pages(hearing: Pages.Action.self) { id, action, _ in heard.note("\(id) \(action)") }

        await store.dispatch(Pages.Action.open(1)).finished()
        await store.dispatch(Pages.Action.open(2)).finished()
        await store.dispatch(Pages.Action.close(1)).finished()

        #expect(heard.entries == ["1 open(2)", "2 close(1)"])
    }

    @Test("what only listeners take goes to the root, from wherever it is dispatched")
    func onlyListeners() async throws {
        let store = try await pages(hearing: Gallery.Confirmed.self) { id, action, _ in
            heard.note("\(id) \(action.item)")
        }
        await store.dispatch(Pages.Action.open(1))
        await store.dispatch(Pages.Action.open(2))

        await store.scope(of: Page.self, id: 2).dispatch(Gallery.Confirmed(item: 7)).finished()
        await store.dispatch(Pages.Action.close(1))
        await store.dispatch(Pages.Action.close(2))
        await store.dispatch(Gallery.Confirmed(item: 8))

        #expect(heard.entries.sorted() == ["1 7", "2 7"])
        let confirmations = observer.events.compactMap(\.actionReduced).filter { $0.action is Gallery.Confirmed }
        #expect(confirmations.map(\.scope) == [nil, nil])
        // Nobody listens any more.
        #expect(observer.refusals.count == 1)
    }

    @Test("a page can be tested alone, with what its dependencies register inside it")
    func alone() async throws {
        struct ItemsModule: Relux.Module {
            var states: [any Relux.State] { [Items()] }
        }
        let store = try await Relux.Store {}
        let lease = try await store.attach(
            listeningPage(3, dependencies: [ItemsModule()])
        )
        // The items of the page, because the root has none.
        await lease.scope.dispatch(Items.Action.add(4)).finished()

        #expect(try await lease.scope.state(of: Page.State.self).heard == ["add(4)"])
        #expect(heard.entries == ["rule 3 add(4)", "saga Gallery.Page[3] add(4)"])
        await lease.end()
    }

    @Test("a listener follows the innermost taker when that appears and goes")
    func changingTakers() async throws {
        struct ItemsModule: Relux.Module {
            var states: [any Relux.State] { [Items()] }
        }
        let store = try await shelf()
        await store.dispatch(Pages.Action.open(1))
        let page = store.scope(of: Page.self, id: 1)

        try await page.register(ItemsModule())
        await store.dispatch(Items.Action.add(10))
        await page.dispatch(Items.Action.add(11))
        await page.unregister(ItemsModule.self)
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
        let page = Page(
            id: 1,
            sagas: [
                Relux.Reaction(to: Relux.ChildAction<Page, Page.State.Action>.self, in: .enclosing) { _, _ in }
            ])
        let store = try await Relux.Store {}

        await #expect {
            _ = try await store.attach(page)
        } throws: { error in
            if case Relux.StoreError.listensToChildAction = error { true } else { false }
        }
    }
}

@Suite("Shadows", .timeLimit(.minutes(10)))
struct ShadowTests {
    private typealias Items = Gallery.Items
    private typealias Page = Gallery.Page

    private let observer = RecordingObserver()

    private struct ItemsModule: Relux.Module {
        var states: [any Relux.State] { [Items()] }
    }

    private func reaction(_ scope: Relux.HandlerScope = .lexical) -> any Relux.Saga {
        Relux.Reaction(to: Items.Action.self, in: scope) { _, _ in }
    }

    private func isShadow(_ error: any Error) -> Bool {
        guard case Relux.StoreError.shadows(let action, owner: let owner) = error else { return false }
        return action == Items.Action.self && owner == ItemsModule.self
    }

    @Test("a handler that would take the actions of a state outside is refused")
    func handlers() async throws {
        let store = try await Relux.Store { ItemsModule() }
        let saga = Page(id: 1, sagas: [reaction()])
        let reducer = Page(
            id: 1, reducers: [Relux.Reducer(of: Page.State.self, on: Items.Action.self) { _, _ in }])
        let rule = Page(id: 1, rules: [Relux.Rule(on: Items.Action.self) { _, _ in [] }])

        for page in [saga, reducer, rule] {
            await #expect(performing: { _ = try await store.attach(page) }, throws: isShadow)
        }
        _ = try await store.attach(Page(id: 2, sagas: [reaction(.enclosing)]))
        _ = try await store.attach(Page(id: 3, sagas: [reaction(.own)]))
    }

    @Test("the order within one registration makes no difference")
    func order() async throws {
        for isReversed in [false, true] {
            let store = try await Relux.Store {}
            let modules: [any Relux.Module] = [Page(id: 1, sagas: [reaction()]), ItemsModule()]

            await #expect(
                performing: { try await store.register(contentsOf: isReversed ? modules.reversed() : modules) },
                throws: isShadow)
        }
    }

    @Test("an instance that owns such a state takes its own actions")
    func owners() async throws {
        struct OwnItems: Relux.Module, Identifiable {
            let id: Int
            var states: [any Relux.State] { [Items()] }
            var sagas: [any Relux.Saga] { [Relux.Reaction(to: Items.Action.self) { _, _ in }] }
        }
        let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) { ItemsModule() }

        _ = try await store.attach(OwnItems(id: 1))

        #expect(observer.refusals.isEmpty)
    }

    @Test("a child that would shadow is reported and left out")
    func children() async throws {
        let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) {
            Gallery.Module(page: { Page(id: $0, sagas: [reaction()]) })
        }

        await store.dispatch(Gallery.Pages.Action.open(1))

        guard case .childNotRegistered(.shadows)? = observer.refusals.first?.reason else {
            Issue.record("\(observer.refusals)")
            return
        }
    }

    @Test("taking another action away from a module outside is reported, whichever was there first")
    func otherActions() async throws {
        struct Owner: Relux.Module {
            var sagas: [any Relux.Saga] { [WorkSaga { _, _ in }] }
        }
        func shadows(_ observer: RecordingObserver) -> [String] {
            observer.refusals.map {
                guard case .shadows(let action, in: let module, owner: let owner) = $0.reason else { return "\($0)" }
                return "\(action) \(module) \(owner)"
            }
        }
        let page = Page(id: 1, sagas: [WorkSaga { _, _ in }])
        for isOwnerFirst in [true, false] {
            let observer = RecordingObserver()
            let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) {}

            try await store.register(contentsOf: [isOwnerFirst ? Owner() : page])
            try await store.register(contentsOf: [isOwnerFirst ? page : Owner()])
            // These have nothing to do with it.
            try await store.register(contentsOf: [Part<TagA>.counting(), Page(id: 2)])

            #expect(shadows(observer) == ["Work Page Owner"])

            let both = RecordingObserver()
            let other = try await Relux.Store(Relux.StoreConfiguration(observers: [both])) {}
            try await other.register(contentsOf: isOwnerFirst ? [Owner(), page] : [page, Owner()])

            #expect(shadows(both) == ["Work Page Owner"])

            let replacing = RecordingObserver()
            let third = try await Relux.Store(Relux.StoreConfiguration(observers: [replacing])) {}
            try await third.register(contentsOf: [Page(id: 1), Owner()])
            try await third.replace(page)

            #expect(shadows(replacing) == ["Work Page Owner"])
        }
    }

    @Test("a flow that takes an effect away from a module outside is reported", arguments: [true, false])
    func flows(isOwnerFirst: Bool) async throws {
        struct Owner: Relux.Module {
            let isFlow: Bool
            var flows: [any Relux.Flow] { isFlow ? [QuestionFlow { _, _ in 1 }] : [] }
            var sagas: [any Relux.Saga] { isFlow ? [] : [Relux.Reaction(to: Question.self) { _, _ in }] }
        }
        struct Detail: Relux.Module, Identifiable {
            let id = 1
            var flows: [any Relux.Flow] { [QuestionFlow { _, _ in 1 }] }
        }
        for isFlow in [true, false] {
            let observer = RecordingObserver()
            let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) {}
            let modules: [any Relux.Module] = [Owner(isFlow: isFlow), Detail()]
            for module in isOwnerFirst ? modules : modules.reversed() {
                try await store.register(contentsOf: [module])
            }

            let found = observer.refusals.map(\.reason)
            guard found.count == 1, case .shadows(let action, in: let module, owner: let owner) = found[0] else {
                Issue.record("\(found)")
                continue
            }
            #expect(action == Question.self && module == Detail.self && owner == Owner.self)
        }
    }

    @Test("an owner that is registered later is reported")
    func laterOwner() async throws {
        let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) {}
        let scopes: [Relux.HandlerScope] = [.lexical, .own, .enclosing]
        var leases: [Relux.Lease] = []
        for (id, scope) in scopes.enumerated() {
            leases.append(try await store.attach(Page(id: id, sagas: [reaction(scope)])))
        }

        try await store.register(ItemsModule())

        #expect(observer.refusals.count == 1)
        for lease in leases { await lease.end() }
    }

    @Test("the actions of instances at different places don't shadow each other")
    func actionsOfInstances() async throws {
        typealias Noted = Relux.ChildAction<Page, Page.State.Action>
        struct Owner: Relux.Module {
            var sagas: [any Relux.Saga] { [Relux.Reaction(to: Noted.self) { _, _ in }] }
        }
        let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) { Owner() }

        let lease = try await store.attach(Page(id: 1, sagas: [Relux.Reaction(to: Noted.self) { _, _ in }]))

        #expect(observer.refusals.isEmpty)
        await lease.end()
    }

    @Test("instances inside instances of the same module don't shadow each other")
    func sameModule() async throws {
        let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) {}
        let outer = try await store.attach(Page(id: 1, sagas: [WorkSaga { _, _ in }]))

        _ = try await outer.scope.attach(Page(id: 2, sagas: [WorkSaga { _, _ in }]))

        #expect(observer.refusals.isEmpty)
    }
}
