import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Rules", .timeLimit(.minutes(10)))
struct RuleTests {
    private typealias Items = Gallery.Items
    private typealias Pages = Gallery.Pages

    private let gate = Gate()
    private let observer = RecordingObserver()
    private let store: Relux.Store

    init() { store = Relux.Store(.init(observers: [observer])) }

    /// Registers a gallery with rules, and other modules.
    private func register(_ rules: Relux.Rule..., and others: any Relux.Module...) async throws {
        try await store.register(contentsOf: [Gallery.Module(rules: rules)] + others)
    }

    private var items: [Int] { get async throws { try await store.state(of: Items.self).all } }

    @Test("what a rule adds is reduced in the step of the action that it follows")
    func oneStep() async throws {
        try await register(
            Relux.Rule(on: Gallery.Confirmed.self) { action, _ in
                [Items.Action.remove(action.item), Pages.Action.close(action.item)]
            })
        await store.dispatch(Pages.Action.open(2))
        let cuts = store.values { "\($0[Items.self]?.all ?? []) \($0[Pages.self]?.open ?? [])" }
        var iterator = cuts.makeAsyncIterator()
        let first = await iterator.next()

        let dispatched = await store.dispatch(Gallery.Confirmed(item: 2))
        let second = await iterator.next()

        #expect(first == "[1, 2, 3] [2]")
        #expect(second == "[1, 3] []")
        #expect(dispatched.sequence == 2)
        #expect(observer.records.map(\.sequence) == [1, 2, 3, 4])
        #expect(observer.records.map(\.follows) == [nil, nil, 2, 2])
        #expect(observer.records.map { "\($0.action)" }.suffix(2) == ["remove(2)", "close(2)"])
    }

    @Test("a rule outside hears of a change by an instance that closes itself", arguments: [true, false])
    func closingItself(isOwnReducer: Bool) async throws {
        let reducer = Relux.Reducer(of: Pages.self, on: Gallery.Page.State.Action.self) { pages, _ in pages.open = [] }
        let closing = Part<TagA>(reducers: [reducer], dependencies: [Gallery.Module()])
        let changes = Trace<String>()
        let counting = Relux.Rule(onChangeOf: Pages.self, \.open.count) { old, new, _ in
            changes.note("\(old) → \(new)")
            return []
        }
        let page: @Sendable (Int) -> Gallery.Page = { id in
            Gallery.Page(
                id: id, reducers: isOwnReducer ? [reducer] : [],
                dependencies: [isOwnReducer ? Gallery.Module() : closing])
        }
        try await store.register(Gallery.Module(rules: [counting], page: page))
        await store.dispatch(Pages.Action.open(5))

        await store.scope(of: Gallery.Page.self, id: 5).dispatch(Gallery.Page.State.Action.note("bye"))

        #expect(changes.entries == ["0 → 1", "1 → 0"])
    }

    @Test("a rule goes with its module, whether that is replaced or unregistered")
    func gone() async throws {
        let rule = Relux.Rule(on: Items.Action.self) { action, _ in
            if case .add(let item) = action, item < 10 { [Items.Action.add(item * 10)] } else { [] }
        }
        try await register(and: Part<TagA>(rules: [rule]))

        await store.dispatch(Items.Action.add(4))
        try await store.replace(Part<TagA>(rules: []))
        await store.dispatch(Items.Action.add(5))
        try await store.replace(Part<TagA>(rules: [rule]))
        await store.dispatch(Items.Action.add(6))
        await store.unregister(Part<TagA>.self)
        await store.dispatch(Items.Action.add(7))

        #expect(try await items == [1, 2, 3, 4, 40, 5, 6, 60, 7])
    }

    @Test("a rule sees all states as the reducers have left them, and the children that follow")
    func seesResults() async throws {
        let seen = Trace<String>()
        try await register(
            Relux.Rule(on: Pages.Action.self) { _, reader in
                let pages = reader.states(of: Gallery.Page.State.self, in: Gallery.Page.self).map(\.id)
                seen.note("\(reader[Pages.self]?.open ?? []) \(pages)")
                return []
            })

        await store.dispatch(Pages.Action.open(7))
        await store.dispatch(Pages.Action.close(7))

        #expect(seen.entries == ["[7] [7]", "[] []"])
    }

    @Test("what follows an added action is reduced directly after it")
    func depthFirst() async throws {
        try await register(
            Relux.Rule(on: Gallery.Confirmed.self) { _, _ in [Items.Action.add(10), Items.Action.add(20)] },
            Relux.Rule(on: Items.Action.self) { action, _ in
                if case .add(let item) = action, item % 10 == 0 { [Items.Action.add(item + 1)] } else { [] }
            },
            Relux.Rule(on: Gallery.Confirmed.self) { _, _ in [Items.Action.add(30)] })

        let batch = await store.dispatch {
            Gallery.Confirmed(item: 0)
            Items.Action.add(99)
        }

        #expect(try await items == [1, 2, 3, 10, 11, 20, 21, 30, 31, 99])
        #expect(observer.records.map(\.follows) == [nil, 1, 2, 1, 4, 1, 6, nil])
        #expect(batch.sequence == 8)
    }

    @Test("all rules for an action decide by the same states")
    func sameStates() async throws {
        let counts = Trace<Int>()
        let rule = Relux.Rule(on: Gallery.Confirmed.self) { _, reader in
            counts.note(reader[Items.self]?.all.count ?? 0)
            return [Items.Action.add(0)]
        }
        try await register(rule, rule)

        await store.dispatch(Gallery.Confirmed(item: 0))

        #expect(counts.entries == [3, 3])
        #expect(try await items.count == 5)
    }

    @Test("a rule on a change decides once for each action that changes the value")
    func onChange() async throws {
        let changes = Trace<String>()
        try await register(
            Relux.Rule(onChangeOf: Items.self, \.all.count) { old, new, _ in
                changes.note("\(old) → \(new)")
                return if new == 2 { [Pages.Action.showHelp("few")] } else { [] }
            })

        await store.dispatch(Items.Action.add(4))
        await store.dispatch(Items.Action.remove(77))
        await store.dispatch {
            Items.Action.remove(4)
            Items.Action.remove(3)
        }
        await store.reset()
        await store.dispatch(Items.Action.add(5))

        #expect(changes.entries == ["3 → 4", "4 → 3", "3 → 2", "3 → 4"])
    }

    @Test("a rule on a change of a state that nobody owns is refused, and one of a registered state keeps its module")
    func foreignChange() async throws {
        let rule = Relux.Rule(onChangeOf: Log.self, \.entries.count) { _, _, _ in [Items.Action.add(0)] }
        try await register()

        #expect(await Relux.StoreError.name { try await store.register(Part<TagA>(rules: [rule])) } == "foreignRule")
        try await store.register(Part<TagA>(rules: [rule]), Log.Module())
        await store.unregister(Log.Module.self)
        await store.dispatch(Log.Action.add("x"))

        #expect(try await items == [1, 2, 3, 0])
        #expect(observer.refusals.isEmpty)
    }

    @Test("an action that only a rule takes is taken, and an effect still needs a saga")
    func taken() async throws {
        try await register(
            Relux.Rule(on: Gallery.Confirmed.self) { _, _ in [] },
            Relux.Rule(on: Work.self) { _, _ in [Items.Action.add(0)] },
            // What it triggers handles another effect.
            Relux.Rule(on: Errand.self) { _, _ in [Chore()] }, and: ClosureSaga<Chore> { _, _ in }.alone)

        await store.dispatch(Gallery.Confirmed(item: 0))
        await store.dispatch(Work())

        #expect(await Ending.of { try await store.perform(Errand()) } == .unhandled)
        #expect(observer.reasons == ["effectNotTaken", "effectNotTaken"])
        #expect(try await items.last == 0)
    }

    @Test("rules without an end add a thousand actions, and the next one is refused once")
    func endless() async throws {
        try await register(Relux.Rule(on: Items.Action.self) { _, _ in [Items.Action.add(0)] })

        await store.dispatch {
            Items.Action.add(0)
            Items.Action.add(0)
        }

        #expect(try await items.count == 3 + 2 + 1_000)
        #expect(observer.reasons == ["endlessRules"])
        #expect(observer.refusals.first?.description.contains("isn't equal to itself, such as NaN") == true)
    }

    @Test("a receipt waits for what added actions trigger")
    func receipts() async throws {
        let saga = WorkSaga { _, _ in
            await gate.pass()
            throw TestFailure()
        }
        try await register(Relux.Rule(on: Gallery.Confirmed.self) { _, _ in [Work()] }, and: saga.module())

        let dispatched = await store.dispatch(Gallery.Confirmed(item: 0))
        async let outcome = dispatched.outcome()
        gate.open()

        #expect(await outcome.endings == [.threw(TestFailure())])
    }

    @Test("a perform waits for what added actions trigger, whose failures are not its own")
    func performs() async throws {
        let ended = Trace<String>()
        let saga = WorkSaga { _, _ in
            await gate.pass()
            ended.note("work")
            throw TestFailure()
        }
        let module = SagaModule(sagas: [saga], flows: [QuestionFlow { _, _ in 7 }])
        try await register(Relux.Rule(on: Question.self) { _, _ in [Work()] }, and: module)
        var failures = store.failures.makeAsyncIterator()

        async let answer = store.perform(Question())
        gate.open()

        #expect(try await answer == 7)
        #expect(ended.entries == ["work"])
        #expect(await failures.next()?.error is TestFailure)
    }

    @Test("the failure of an added action's saga isn't that of a performed effect that sagas answer")
    func performedSagas() async throws {
        let failing = WorkSaga { _, _ in throw TestFailure() }
        let module = failing.module(Relux.Reaction(to: Errand.self) { _, _ in })
        try await register(Relux.Rule(on: Errand.self) { _, _ in [Work()] }, and: module)
        var failures = store.failures.makeAsyncIterator()

        try await store.perform(Errand())

        #expect(await failures.next()?.error is TestFailure)
    }

    @Test("an added action that nothing takes is reported, and doesn't count for the receipt")
    func untakenAddition() async throws {
        try await register(Relux.Rule(on: Items.Action.self) { _, _ in [Gallery.Confirmed(item: 1)] })

        let outcome = await store.dispatch(Items.Action.add(4)).outcome()

        #expect(outcome.endings == [.returned])
        #expect(observer.reasons == ["actionNotTaken"])
    }

    /// What is cancelled, while what the effect triggered is still running, or when only the added work is left.
    enum Cancelled: CaseIterable, Sendable { case caller, callerOfWorkDone, performer }

    @Test(
        "cancelling a perform leaves the work of added actions alone, and doesn't wait for it",
        arguments: Cancelled.allCases)
    func cancelledPerform(_ cancelled: Cancelled) async throws {
        let saga = WorkSaga { _, context in
            await gate.pass()
            await context.dispatch(Log.Action.add("written"))
        }
        let flow = QuestionFlow { _, _ in
            if cancelled != .callerOfWorkDone { try await untilCancelled() }
            return 7
        }
        let chore = ClosureSaga<Chore> { _, context in _ = try await context.perform(Question()) }
        let module = SagaModule(sagas: [saga, chore], flows: [flow])
        try await register(Relux.Rule(on: Question.self) { _, _ in [Work()] }, and: module)

        let task = Task {
            if cancelled == .performer { return await Ending.of { try await store.perform(Chore()) } }
            return await Ending.of { try await store.perform(Question()) }
        }
        await gate.arrivals()
        if cancelled == .performer { await store.cancel(ClosureSaga<Chore>.self) } else { task.cancel() }

        // The run may have ended before its cancellation.
        let ending = await task.value
        #expect(ending == .cancelled || cancelled == .callerOfWorkDone && ending == .returned)
        #expect(try await store.log() == [])
        gate.open()
        try await store.idle()
        #expect(try await store.log() == ["written"])
    }

    @Test("rules follow the action that cleans up after a cancelled run")
    func afterCleanup() async throws {
        let saga = WorkSaga(cleanup: { _ in .add("cleaned") }) { _, _ in await gate.pass() }
        try await register(Relux.Rule(on: Log.Action.self) { _, _ in [Items.Action.add(9)] }, and: saga.module())

        await store.dispatch(Work())
        await store.cancel(WorkSaga.self)
        gate.open()

        #expect(try await items.last == 9)
    }

    @Test("an added action is looked up from the scope of its rule, or around it if that has closed")
    func resolution() async throws {
        let closing = Relux.Rule(on: Gallery.Page.State.Action.self) { _, _ in
            [Pages.Action.close(5), Gallery.Page.State.Action.note("from the rule"), Items.Action.add(5)]
        }
        let page: @Sendable (Int) -> Gallery.Page = { Gallery.Page(id: $0, rules: $0 == 5 ? [closing] : []) }
        try await store.register(Gallery.Module(page: page))
        await store.dispatch(Pages.Action.open(5))

        await store.scope(of: Gallery.Page.self, id: 5).dispatch(Gallery.Page.State.Action.note("first"))

        #expect(
            observer.records.map { "\($0.scope.map { "\($0)" } ?? "root") \($0.action)" } == [
                "root open(5)", "Gallery.Page[5] note(\"first\")", "root close(5)", "root note(\"from the rule\")",
                "root add(5)",
            ])
        #expect(try await items.last == 5)
    }

    @Test("rules of an instance that the action has closed don't decide")
    func closedInstance() async throws {
        let decided = Trace<String>()
        let rule = Relux.Rule(on: Pages.Action.self, in: .enclosing) { action, _ in
            decided.note("\(action)")
            return []
        }
        try await store.register(Gallery.Module(page: { Gallery.Page(id: $0, rules: [rule]) }))

        await store.dispatch(Pages.Action.open(5))
        await store.dispatch(Pages.Action.showHelp("a"))
        await store.dispatch(Pages.Action.close(5))

        #expect(decided.entries == ["showHelp(\"a\")"])
    }

    @Test("middleware sees added actions, and may drop them")
    func middleware() async throws {
        let noRemoval = HookMiddleware { action, _ in
            if case Items.Action.remove? = action as? Items.Action { .drop(reason: "kept") } else { .proceed }
        }
        let rule = Relux.Rule(on: Gallery.Confirmed.self) { action, _ in
            [Items.Action.remove(action.item), Items.Action.add(8)]
        }
        let store = try await Relux.Store(.init(middleware: [noRemoval])) { Gallery.Module(rules: [rule]) }

        let dispatched = await store.dispatch(Gallery.Confirmed(item: 1))

        #expect(try await store.state(of: Items.self).all == [1, 2, 3, 8])
        #expect(dispatched.sequence == 1)
    }
}
