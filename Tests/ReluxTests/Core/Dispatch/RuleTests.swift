import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Rules", .timeLimit(.minutes(10)))
struct RuleTests {
    private typealias Items = Gallery.Items
    private typealias Pages = Gallery.Pages

    private let gate = Gate()

    private func observed(
        _ module: Gallery.Module, _ others: any Relux.Module...
    ) async throws -> (store: Relux.Store, observer: RecordingObserver) {
        let observer = RecordingObserver()
        let store = try await Relux.Store(Relux.StoreConfiguration(observers: [observer])) { [module] + others }
        return (store, observer)
    }

    @Test("what a rule adds is reduced in the step of the action that it follows")
    func oneStep() async throws {
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Gallery.Confirmed.self) { action, _ in
                [
                    Items.Action.remove(action.item),
                    Pages.Action.close(action.item),
                ]
            }
        ])
        let (store, observer) = try await observed(module)
        await store.dispatch(Pages.Action.open(2))
        let cuts = store.values { reader in
            "\(reader[Items.self]?.all ?? []) \(reader[Pages.self]?.open ?? [])"
        }
        var iterator = cuts.makeAsyncIterator()
        let first = await iterator.next()

        let dispatched = await store.dispatch(Gallery.Confirmed(item: 2))
        let second = await iterator.next()

        #expect(first == "[1, 2, 3] [2]")
        #expect(second == "[1, 3] []")
        #expect(dispatched.sequence == 2)
        let records = observer.events.compactMap(\.actionReduced)
        #expect(records.map(\.sequence) == [1, 2, 3, 4])
        #expect(records.map(\.follows) == [nil, nil, 2, 2])
        #expect(records.map { "\($0.action)" }.suffix(2) == ["remove(2)", "close(2)"])
    }

    @Test("a rule outside hears of a change by an instance that closes itself", arguments: [true, false])
    func closingItself(isOwnReducer: Bool) async throws {
        struct Closing: Relux.Module {
            var dependencies: [any Relux.Module] { [Gallery.Module()] }
            var reducers: [Relux.Reducer] {
                [Relux.Reducer(of: Pages.self, on: Gallery.Page.State.Action.self) { pages, _ in pages.open = [] }]
            }
        }
        let changes = Trace<String>()
        let counting = Relux.Rule(onChangeOf: Pages.self, \.open.count) { old, new, _ in
            changes.note("\(old) → \(new)")
            return []
        }
        let module = Gallery.Module(
            rules: [counting],
            page: { id in
                Gallery.Page(
                    id: id, reducers: isOwnReducer ? Closing().reducers : [],
                    dependencies: [isOwnReducer ? Gallery.Module() : Closing()])
            })
        let store = try await Relux.Store { module }
        await store.dispatch(Pages.Action.open(5))

        await store.scope(of: Gallery.Page.self, id: 5).dispatch(Gallery.Page.State.Action.note("bye"))

        #expect(changes.entries == ["0 → 1", "1 → 0"])
    }

    @Test("a rule goes with its module, whether that is replaced or unregistered")
    func gone() async throws {
        struct Ruling: Relux.Module {
            var rules: [Relux.Rule]
        }
        let rule = Relux.Rule(on: Items.Action.self) { action, _ in
            if case .add(let item) = action, item < 10 { [Items.Action.add(item * 10)] } else { [] }
        }
        let store = try await Relux.Store {
            Gallery.Module(rules: [])
            Ruling(rules: [rule])
        }

        await store.dispatch(Items.Action.add(4))
        try await store.replace(Ruling(rules: []))
        await store.dispatch(Items.Action.add(5))
        try await store.replace(Ruling(rules: [rule]))
        await store.dispatch(Items.Action.add(6))
        await store.unregister(Ruling.self)
        await store.dispatch(Items.Action.add(7))

        #expect(try await store.state(of: Items.self).all == [1, 2, 3, 4, 40, 5, 6, 60, 7])
    }

    @Test("a rule sees all states as the reducers have left them, and the children that follow")
    func seesResults() async throws {
        let seen = Trace<String>()
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Pages.Action.self) { _, reader in
                let pages = reader.states(of: Gallery.Page.State.self, in: Gallery.Page.self).map(\.id)
                seen.note("\(reader[Pages.self]?.open ?? []) \(pages)")
                return []
            }
        ])
        let (store, _) = try await observed(module)

        await store.dispatch(Pages.Action.open(7))
        await store.dispatch(Pages.Action.close(7))

        #expect(seen.entries == ["[7] [7]", "[] []"])
    }

    @Test("what follows an added action is reduced directly after it")
    func depthFirst() async throws {
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Gallery.Confirmed.self) { _, _ in
                [
                    Items.Action.add(10),
                    Items.Action.add(20),
                ]
            },
            Relux.Rule(on: Items.Action.self) { action, _ in
                if case .add(let item) = action, item % 10 == 0 { [Items.Action.add(item + 1)] } else { [] }
            },
            Relux.Rule(on: Gallery.Confirmed.self) { _, _ in [Items.Action.add(30)] },
        ])
        let (store, observer) = try await observed(module)

        let batch = await store.dispatch {
            Gallery.Confirmed(item: 0)
            Items.Action.add(99)
        }

        #expect(try await store.state(of: Items.self).all == [1, 2, 3, 10, 11, 20, 21, 30, 31, 99])
        let records = observer.events.compactMap(\.actionReduced)
        #expect(records.map(\.follows) == [nil, 1, 2, 1, 4, 1, 6, nil])
        #expect(batch.sequence == 8)
    }

    @Test("all rules for an action decide by the same states")
    func sameStates() async throws {
        let counts = Trace<Int>()
        func rule() -> Relux.Rule {
            Relux.Rule(on: Gallery.Confirmed.self) { _, reader in
                counts.note(reader[Items.self]?.all.count ?? 0)
                return [Items.Action.add(0)]
            }
        }
        let (store, _) = try await observed(Gallery.Module(rules: [rule(), rule()]))

        await store.dispatch(Gallery.Confirmed(item: 0))

        #expect(counts.entries == [3, 3])
        #expect(try await store.state(of: Items.self).all.count == 5)
    }

    @Test("a rule on a change decides once for each action that changes the value")
    func onChange() async throws {
        let changes = Trace<String>()
        let module = Gallery.Module(rules: [
            Relux.Rule(onChangeOf: Items.self, \.all.count) { old, new, _ in
                changes.note("\(old) → \(new)")
                return if new == 2 { [Pages.Action.showHelp("few")] } else { [] }
            }
        ])
        let (store, _) = try await observed(module)

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
        struct Follower: Relux.Module {
            var rules: [Relux.Rule] {
                [Relux.Rule(onChangeOf: Log.self, \.entries.count) { _, _, _ in [Items.Action.add(0)] }]
            }
        }
        let (store, observer) = try await observed(Gallery.Module())

        await #expect {
            try await store.register(Follower())
        } throws: { error in
            if case Relux.StoreError.foreignRule = error { true } else { false }
        }
        try await store.register(Follower(), Log.Module())
        await store.unregister(Log.Module.self)
        await store.dispatch(Log.Action.add("x"))

        #expect(try await store.state(of: Items.self).all == [1, 2, 3, 0])
        #expect(observer.refusals.isEmpty)
    }

    @Test("an action that only a rule takes is taken, and an effect still needs a saga")
    func taken() async throws {
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Gallery.Confirmed.self) { _, _ in [] },
            Relux.Rule(on: Work.self) { _, _ in [Items.Action.add(0)] },
        ])
        let (store, observer) = try await observed(module)

        await store.dispatch(Gallery.Confirmed(item: 0))
        await store.dispatch(Work())

        #expect(observer.reasons == ["effectNotTaken"])
        #expect(try await store.state(of: Items.self).all.last == 0)
    }

    @Test("rules without an end add a thousand actions, and the next one is refused once")
    func endless() async throws {
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Items.Action.self) { _, _ in [Items.Action.add(0)] }
        ])
        let (store, observer) = try await observed(module)

        await store.dispatch {
            Items.Action.add(0)
            Items.Action.add(0)
        }

        #expect(try await store.state(of: Items.self).all.count == 3 + 2 + 1_000)
        #expect(observer.reasons == ["endlessRules"])
        #expect(observer.refusals.first?.description.contains("isn't equal to itself, such as NaN") == true)
    }

    @Test("a receipt waits for what added actions trigger")
    func receipts() async throws {
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Gallery.Confirmed.self) { _, _ in [Work()] }
        ])
        let saga = WorkSaga { _, _ in
            await gate.pass()
            throw Mishap()
        }
        let (store, _) = try await observed(module, saga.module())

        let dispatched = await store.dispatch(Gallery.Confirmed(item: 0))
        async let outcome = dispatched.outcome()
        gate.open()

        guard case .failure(let errors) = await outcome else { throw Mishap() }
        #expect(errors.count == 1)
    }

    @Test("a perform waits for what added actions trigger, whose failures are not its own")
    func performs() async throws {
        let ended = Trace<String>()
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Question.self) { _, _ in [Work()] }
        ])
        let saga = WorkSaga { _, _ in
            await gate.pass()
            ended.note("work")
            throw Mishap()
        }
        let flow = QuestionFlow { _, _ in 7 }
        let (store, _) = try await observed(module, SagaModule(sagas: [saga], flows: [flow]))
        var failures = store.failures.makeAsyncIterator()

        async let answer = store.perform(Question())
        gate.open()

        #expect(try await answer == 7)
        #expect(ended.entries == ["work"])
        #expect(await failures.next()?.error is Mishap)
    }

    @Test("the failure of an added action's saga isn't that of a performed effect that sagas answer")
    func performedSagas() async throws {
        struct Begin: Relux.Effect {}
        let module = Gallery.Module(
            rules: [Relux.Rule(on: Begin.self) { _, _ in [Work()] }],
            sagas: [Relux.Reaction(to: Begin.self) { _, _ in }]
        )
        let (store, _) = try await observed(module, WorkSaga { _, _ in throw Mishap() }.module())
        var failures = store.failures.makeAsyncIterator()

        try await store.perform(Begin())

        #expect(await failures.next()?.error is Mishap)
    }

    @Test("an added action that nothing takes is reported, and doesn't count for the receipt")
    func untakenAddition() async throws {
        let module = Gallery.Module(rules: [Relux.Rule(on: Items.Action.self) { _, _ in [Gallery.Confirmed(item: 1)] }])
        let (store, observer) = try await observed(module)

        let outcome = await store.dispatch(Items.Action.add(4)).outcome()

        #expect(outcome.endings == [.returned])
        #expect(observer.reasons == ["actionNotTaken"])
    }

    @Test("cancelling a perform leaves the work of added actions alone")
    func cancelledPerform() async throws {
        let (workGate, answerGate) = (Gate(), Gate())
        let outcomes = Trace<String>()
        let module = Gallery.Module(rules: [Relux.Rule(on: Question.self) { _, _ in [Work()] }])
        let saga = WorkSaga { _, context in
            await workGate.pass()
            await context.dispatch(Log.Action.add("written"))
        }
        let flow = QuestionFlow { _, _ in
            await answerGate.pass()
            return 7
        }
        let (store, observer) = try await observed(module, SagaModule(sagas: [saga], flows: [flow]))

        let task = Task { try await store.perform(Question()) }
        _ = await observer.first(Question.self)
        task.cancel()
        answerGate.open()
        workGate.open()
        let result = await task.result
        try await store.idle()

        if case .success = result { outcomes.note("answered") }
        #expect(outcomes.entries.isEmpty)
        #expect(try await store.state(of: Log.self).entries == ["written"])
    }

    @Test("rules follow the action that cleans up after a cancelled run")
    func afterCleanup() async throws {
        let saga = WorkSaga(cleanup: { _ in .add("cleaned") }) { _, _ in await gate.pass() }
        let module = Gallery.Module(rules: [Relux.Rule(on: Log.Action.self) { _, _ in [Items.Action.add(9)] }])
        let (store, _) = try await observed(module, saga.module())

        await store.dispatch(Work())
        await store.cancel(WorkSaga.self)
        gate.open()

        #expect(try await store.state(of: Items.self).all.last == 9)
    }

    @Test("an added action is looked up from the scope of its rule, or around it if that has closed")
    func resolution() async throws {
        let closing = Gallery.Page(
            id: 5,
            rules: [
                Relux.Rule(on: Gallery.Page.State.Action.self) { _, _ in
                    [
                        Pages.Action.close(5),
                        Gallery.Page.State.Action.note("from the rule"),
                        Items.Action.add(5),
                    ]
                }
            ]
        )
        let (store, observer) = try await observed(Gallery.Module(page: { $0 == 5 ? closing : Gallery.Page(id: $0) }))
        await store.dispatch(Pages.Action.open(5))
        let page = store.scope(of: Gallery.Page.self, id: 5)

        await page.dispatch(Gallery.Page.State.Action.note("first"))

        let records = observer.events.compactMap(\.actionReduced)
        #expect(
            records.map { "\($0.scope.map { "\($0)" } ?? "root") \($0.action)" } == [
                "root open(5)", "Gallery.Page[5] note(\"first\")", "root close(5)", "root note(\"from the rule\")",
                "root add(5)",
            ])
        #expect(try await store.state(of: Items.self).all.last == 5)
    }

    @Test("rules of an instance that the action has closed don't decide")
    func closedInstance() async throws {
        let decided = Trace<String>()
        let listening = Gallery.Page(
            id: 5,
            rules: [
                Relux.Rule(on: Pages.Action.self, in: .enclosing) { action, _ in
                    decided.note("\(action)")
                    return []
                }
            ]
        )
        let (store, _) = try await observed(Gallery.Module(page: { _ in listening }))

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
        let module = Gallery.Module(rules: [
            Relux.Rule(on: Gallery.Confirmed.self) { action, _ in
                [
                    Items.Action.remove(action.item),
                    Items.Action.add(8),
                ]
            }
        ])
        let store = try await Relux.Store(Relux.StoreConfiguration(middleware: [noRemoval])) { module }

        let dispatched = await store.dispatch(Gallery.Confirmed(item: 1))

        #expect(try await store.state(of: Items.self).all == [1, 2, 3, 8])
        #expect(dispatched.sequence == 1)
    }

    private struct Mishap: Error {}
}
