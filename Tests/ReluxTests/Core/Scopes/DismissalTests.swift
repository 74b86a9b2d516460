import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Dismissal", .timeLimit(.minutes(10)))
struct DismissalTests {
    private typealias Pages = Gallery.Pages
    private typealias Page = Gallery.Page

    private let gate = Gate()
    private let observer = RecordingObserver()

    private let store: Relux.Store

    init() { store = Relux.Store(.init(observers: [observer])) }

    /// Opens a page whose flow closes it in some way.
    private func openPage(
        sagas: [any Relux.Saga] = [], closing close: @escaping @Sendable (Relux.SagaContext) async -> Void
    ) async throws -> Relux.Scope {
        let flow = QuestionFlow { question, context in
            await close(context)
            await context.dispatch(Page.State.Action.note("late"))
            return question.number + 1
        }
        try await store.register(Gallery.Module(page: { Page(id: $0, sagas: sagas, flows: [flow]) }))
        await store.dispatch(Pages.Action.open(1))
        return store.scope(of: Page.self, id: 1)
    }

    @Test("a dismissal removes the element that has opened the instance, which it names, wherever it is dispatched")
    func removes() async throws {
        try await store.register(Gallery.Module())
        await store.dispatch {
            Pages.Action.open(1)
            Pages.Action.open(2)
            Pages.Action.showHelp("a")
        }
        let dismissal = Relux.Dismissal(of: store.scope(of: Page.self, id: 1))

        await store.scope(of: Page.self, id: 2).dispatch(dismissal)
        let dispatched = await store.scope(of: Gallery.Help.self, id: "a").dismiss()

        #expect(try await store.state(of: Pages.self) == Pages(open: [2], help: nil))
        #expect(dispatched.sequence == 5)
        let records = observer.events.compactMap(\.actionReduced).suffix(2)
        #expect(records.map { "\($0.action)" } == ["dismiss Gallery.Page[1]", "dismiss Gallery.Help[\"a\"]"])
        #expect(records.map(\.scope) == [nil, nil])
        #expect(records.flatMap(\.states).map { "\($0)" } == ["Pages", "Pages"])
        #expect(dismissal.customMirror.children.map { "\($0.label ?? "") \($0.value)" } == ["of Gallery.Page[1]"])
        #expect(observer.refusals.isEmpty)
        await store.dispatch(dismissal)
        #expect(observer.reasons == ["noInstance"])
    }

    @Test("an instance without such a binding can't be dismissed")
    func notDismissible() async throws {
        try await store.register(Gallery.Module(isDismissible: false))
        await store.dispatch(Pages.Action.open(1))
        let lease = try await store.attach(Page(id: 7))

        let first = await store.scope(of: Page.self, id: 1).dismiss()
        let second = await lease.scope.dismiss()
        let third = await store.dismiss()

        #expect([first, second, third].allSatisfy { $0.sequence == nil })
        #expect(observer.reasons == ["notDismissible", "notDismissible", "notDismissible"])
        await lease.end()
    }

    @Test("a dismissal is taken by sagas, streams, and rules like any other action")
    func isAnAction() async throws {
        let taken = Trace<String>()
        let module = Gallery.Module(
            rules: [Relux.Rule(on: Relux.Dismissal.self) { _, _ in [Gallery.Items.Action.remove(3)] }],
            sagas: [Relux.Reaction(to: Relux.Dismissal.self) { action, _ in taken.note("saga \(action.scope)") }]
        )
        try await store.register(module)
        for page in 1...2 { await store.dispatch(Pages.Action.open(page)) }
        var stream = store.actionStream(of: Relux.Dismissal.self).makeAsyncIterator()

        await store.scope(of: Page.self, id: 1).dismiss().finished()
        await store.dispatch(Relux.Dismissal(of: store.scope(of: Page.self, id: 2))).finished()

        #expect(await stream.next()?.scope.description == "Gallery.Page[1]")
        #expect(taken.entries == ["saga Gallery.Page[1]", "saga Gallery.Page[2]"])
        #expect(try await store.state(of: Gallery.Items.self).all == [1, 2])
        #expect(try await store.state(of: Pages.self).open == [])
    }

    @Test("an instance whose page is dismissed hears of it in each way that it has asked for")
    func takenAndHeard() async throws {
        let heard = Trace<String>()
        let list = Page(
            id: 1,
            sagas: [
                Relux.Reaction(to: Relux.Dismissal.self) { _, _ in heard.note("own") },
                Relux.Reaction(to: Relux.Dismissal.self, in: .enclosing) { _, _ in heard.note("around") },
            ], dependencies: [Gallery.Module()])
        try await store.register(list)
        let around = store.scope(of: Page.self, id: 1)
        await around.dispatch(Pages.Action.open(2))

        await around.scope(of: Page.self, id: 2).dismiss().finished()

        #expect(heard.entries.sorted() == ["around", "own"])
    }

    @Test("the entries of a navigation stack can be dismissed, with what is above them in their layer")
    func navigation() async throws {
        typealias Stack = Relux.Navigation.Stack<String>
        struct Entry: Relux.Module, Identifiable { let id: UInt64 }
        let pages = Stack(path: ["a", "b", "c"], modals: [.init("d", path: ["e"]), .init("f")])
        let children = Relux.Children.each(of: Stack.self, \.entries) { entry, _ in Entry(id: entry.id) }
        try await store.register(Part<TagA>(states: [pages], children: [children]))
        func dismiss(_ page: String) async throws -> Layers<String> {
            let entry = try await store.state(of: Stack.self).entries.first { $0.page == page }
            await store.scope(of: Entry.self, id: try #require(entry?.id)).dismiss()
            let stack = try await store.state(of: Stack.self)
            return stack.layers
        }

        #expect(try await dismiss("b") == Layers(path: ["a"], modals: [.init("d", path: ["e"]), .init("f")]))
        #expect(try await dismiss("d") == Layers(path: ["a"], modals: [.init("f")]))
        #expect(try await dismiss("f") == Layers(path: ["a"], modals: []))
        #expect(try await dismiss("a") == Layers(path: [], modals: []))
    }

    @Test("a run that closes its own instance can't write any more, and its perform gets its result", arguments: 0..<4)
    func ownResult(way: Int) async throws {
        let page = try await openPage { context in
            switch way {
            case 0: await context.dismiss()
            case 1: await context.dispatch(Pages.Action.close(1))
            case 2: await context.dispatch { Pages.Action.close(1) }
            default:
                context.send(Pages.Action.close(1))
                // Ordered after the send.
                _ = try? await context.state(of: Pages.self)
            }
        }

        let answer = try await page.perform(Question(number: 41))

        #expect(answer == 42)
        #expect(observer.reasons.count { $0 == "staleWrite" } == 1)
        let outcomes = observer.events.compactMap { event in
            if case .runEnded(_, let outcome, _) = event { "\(outcome)" } else { nil }
        }
        #expect(outcomes == ["finished"])
    }

    @Test("so do the runs that await it")
    func awaitingRuns() async throws {
        let asking = WorkSaga { _, context in _ = try await context.perform(Question()) }
        let page = try await openPage(sagas: [asking]) { context in await context.dismiss() }

        try await page.perform(Work())

        #expect(try await store.state(of: Pages.self).open == [])
    }

    @Test("other runs of the instance are cancelled as usual")
    func otherRuns() async throws {
        let waiting = WorkSaga { _, _ in await gate.pass() }
        let page = try await openPage(sagas: [waiting]) { context in await context.dismiss() }
        let other = await page.dispatch(Work())

        _ = try await page.perform(Question())
        gate.open()

        #expect(await other.outcome().endings == [.cancelled])
    }

    @Test("a run that somebody else cancels keeps no result, although it closes its instance later")
    func cancelledBefore() async throws {
        let page = try await openPage { _ in await gate.pass() }

        let task = Task { try await page.perform(Question(number: 41)) }
        await gate.arrivals()
        await store.dispatch(Pages.Action.close(1))
        gate.open()

        #expect(await Ending.of { try await task.value } == .cancelled)
    }
}

@Suite("Pages of several kinds", .timeLimit(.minutes(10)))
struct PageKindsTests {
    private typealias Pages = Gallery.Pages

    @Test("one list opens modules of different types")
    func kinds() async throws {
        let store = try await Relux.Store {
            Gallery.Module(page: { id in if id >= 10 { Gallery.Picture(id: id) } else { Gallery.Page(id: id) } })
        }

        await store.dispatch {
            Pages.Action.open(1)
            Pages.Action.open(10)
        }

        #expect(try await store.scope(of: Gallery.Page.self, id: 1).state(of: Gallery.Page.State.self).heard == [])
        let picture = store.scope(of: Gallery.Picture.self, id: 10)
        #expect(await store.isOpen(picture))
        await store.dispatch(Pages.Action.close(10))
        #expect(await !store.isOpen(picture))
    }

    @Test("an element that keeps its id keeps its instance, even if it would now be of another kind")
    func keepsKind() async throws {
        struct Entry: Identifiable, Hashable, Sendable {
            let id: Int
            var isPicture: Bool
        }
        struct Album: Relux.State {
            var entries: [Entry] = []
            enum Action: Relux.Action { case set([Entry]) }
            mutating func reduce(_ action: Action) { if case .set(let new) = action { entries = new } }
        }
        let pages = Relux.Children.each(of: Album.self, \.entries) { entry, _ in
            if entry.isPicture { Gallery.Picture(id: entry.id) } else { Gallery.Page(id: entry.id) }
        }
        let observer = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Part<TagA>(states: [Album()], children: [pages])
        }

        await store.dispatch(Album.Action.set([Entry(id: 1, isPicture: false)]))
        await store.dispatch(Album.Action.set([Entry(id: 1, isPicture: true)]))

        #expect(try await store.scope(of: Gallery.Page.self, id: 1).state(of: Gallery.Page.State.self).heard == [])
        #expect(observer.refusals.isEmpty)
    }
}
