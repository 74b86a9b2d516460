import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 10: failure stays local", .timeLimit(.minutes(10)))
struct Law10FailureTests {
    @Test("an error thrown by one run disturbs no other")
    func othersContinue() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { work, context in
                if work.name == "bad" { throw TestFailure() }
                await gate.pass()
                await context.dispatch(Log.Action.add(work.name))
            }.module()
        }

        let good = Task { try await store.perform(Work(name: "good")) }
        await gate.arrivals()
        let bad = await Ending.of { try await store.perform(Work(name: "bad")) }
        gate.open()

        #expect(bad == .failed(TestFailure()))
        #expect(await Ending.of { try await good.value } == .returned)
        #expect(try await store.log() == ["good"])
    }

    @Test("a stream of failures that is given up takes no other with it")
    func severalStreams() async throws {
        let (store, kept) = try await Self.store(sagas: [WorkSaga { work, _ in throw TestFailure(name: work.name) }])
        var givenUp: Relux.FailureStream? = store.failures
        await store.dispatch(Work(name: "a")).finished()
        withExtendedLifetime(givenUp) {}
        givenUp = nil
        await store.dispatch(Work(name: "b")).finished()

        #expect(await Self.names(in: kept, of: store) == ["a", "b"])
    }

    @Test("the flow decides: a saga's error appears in failures, and perform returns the value")
    func flowDecides() async throws {
        let (store, failures) = try await Self.store(
            sagas: [ClosureSaga<Question> { _, _ in throw TestFailure(name: "saga") }],
            flows: [QuestionFlow { question, _ in question.number }]
        )

        let answer = try await store.perform(Question(number: 3))

        #expect(answer == 3)
        #expect(await Self.names(in: failures, of: store) == ["saga"])
    }

    @Test("the flow decides: if it fails, perform throws its error, whatever the sagas do")
    func flowDecidesToFail() async throws {
        let (store, failures) = try await Self.store(
            sagas: [ClosureSaga<Question> { _, _ in }],
            flows: [QuestionFlow { _, _ in throw TestFailure(name: "flow") }]
        )

        #expect(await Ending.of { try await store.perform(Question()) } == .failed(TestFailure(name: "flow")))
        #expect(await Self.names(in: failures, of: store) == [])
    }

    @Test("of several sagas' errors, perform throws the first, and the others appear in failures")
    func firstFailureIsThrown() async throws {
        let gate = Gate()
        let end = RunEndObserver()
        let (store, failures) = try await Self.store(
            observers: [end],
            sagas: [
                WorkSaga { _, _ in
                    await gate.pass()
                    throw TestFailure(name: "second")
                },
                WorkSaga { _, _ in throw TestFailure(name: "first") },
            ]
        )
        var failed = failures.makeAsyncIterator()

        let caller = Task { await Ending.of { try await store.perform(Work()) } }
        await end.happened.pass()
        gate.open()

        #expect(await caller.value == .failed(TestFailure(name: "first")))
        #expect(await failed.next()?.error as? TestFailure == TestFailure(name: "second"))
    }

    @Test(
        "without a flow, perform throws a failure if there is one, otherwise cancelled, superseded, or dropped"
    )
    func precedence() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let reductions = (2...5).map { ReductionObserver(awaiting: $0) }
        let (store, _) = try await Self.store(
            clock: clock, observers: reductions,
            sagas: [
                WorkSaga(policy: .leading) { work, _ in
                    if work.name == "blocker" { await gate.pass() }
                },
                WorkSaga(policy: .debounce(.seconds(1))) { _, _ in },
                WorkSaga { work, _ in
                    if work.name == "cancelled" { throw CancellationError() }
                    if work.name == "failed" { throw TestFailure() }
                },
            ]
        )
        await store.dispatch(Work(name: "blocker"))
        await gate.arrivals()

        // Each is dropped by the first saga and, in the second saga, superseded by the next.
        var callers: [Task<Ending, Never>] = []
        for (name, reduction) in zip(["superseded", "cancelled", "failed", "dropped"], reductions) {
            callers.append(Task { await Ending.of { try await store.perform(Work(name: name)) } })
            await reduction.stepEnds(in: store)
        }
        await clock.advance(by: .seconds(1))
        var endings: [Ending] = []
        for caller in callers { endings.append(await caller.value) }
        gate.open()

        #expect(endings == [.superseded, .cancelled, .failed(TestFailure()), .dropped])
    }

    @Test("the error of a dispatched run appears in failures, with the run and the time")
    func dispatchedRunFails() async throws {
        let clock = ManualClock()
        let (store, failures) = try await Self.store(
            clock: clock, sagas: [WorkSaga { _, _ in throw TestFailure(name: "dispatched") }]
        )
        await clock.advance(by: .seconds(5))

        await store.dispatch(Work()).finished()
        var iterator = failures.makeAsyncIterator()
        let record = await iterator.next()

        #expect(record?.error as? TestFailure == TestFailure(name: "dispatched"))
        #expect(record?.run.id == 1)
        #expect(record?.run.trigger as? Work == Work())
        #expect(record?.time == .seconds(5))
    }

    @Test("the errors of sent actions, of a flow that was only dispatched, and of watchers appear in failures")
    func nobodyAwaits() async throws {
        let failures = Trace<String>()
        let store = Relux.Store()
        let stream = store.failures

        try await store.register(
            SagaModule(
                sagas: [WorkSaga { _, _ in throw TestFailure(name: "sent") }],
                flows: [QuestionFlow { _, _ in throw TestFailure(name: "flow") }],
                watchers: [FailingWatcher()]
            )
        )
        store.send(Work())
        await store.dispatch(Question()).finished()
        for await failure in stream.prefix(3) { failures.note((failure.error as? TestFailure)?.name ?? "?") }

        #expect(failures.entries.sorted() == ["flow", "sent", "watcher"])
    }

    @Test("what actions reports as a failure also appears in failures, because it wasn't performed")
    func failuresOfActions() async throws {
        let (store, failures) = try await Self.store(sagas: [WorkSaga { _, _ in throw TestFailure(name: "a") }])

        let result = await store.actions { Work() }

        #expect(result.endings == [.threw(TestFailure(name: "a"))])
        #expect(await Self.names(in: failures, of: store) == ["a"])
    }

    @Test("a saga's error appears in failures if perform promises a value that no flow provides")
    func sagaOfAnUnansweredEffect() async throws {
        let (store, failures) = try await Self.store(
            sagas: [ClosureSaga<Question> { _, _ in throw TestFailure(name: "saga") }]
        )

        #expect(await Ending.of { try await store.perform(Question()) } == .unhandled)
        #expect(await Self.names(in: failures, of: store) == ["saga"])
    }

    @Test("cancelled, superseded, and dropped runs never appear in failures, whatever they throw")
    func outcomesAreNoFailures() async throws {
        let gate = Gate()
        let observer = LateErrorObserver()
        let (store, failures) = try await Self.store(
            observers: [observer],
            sagas: [
                WorkSaga(policy: .latest) { work, _ in
                    if work.name == "own" { throw CancellationError() }
                    if work.name == "new" { return }
                    await gate.pass()
                    throw TestFailure(name: "late")
                },
                ClosureSaga<Errand>(policy: { _ in .leading }) { _, _ in
                    await gate.pass()
                    throw TestFailure(name: "late")
                },
            ]
        )
        await store.dispatch(Work(name: "superseded"))
        await store.dispatch(Errand())
        await gate.arrivals(atLeast: 2)

        await store.dispatch(Work(name: "own")).finished()
        await store.dispatch(Errand()).finished()
        await store.dispatch(Work(name: "new")).finished()
        await store.cancel(ClosureSaga<Errand>.self)
        gate.open()
        try await store.idle()

        #expect(await Self.names(in: failures, of: store) == [])
        #expect(observer.errors.entries == [TestFailure(name: "late"), TestFailure(name: "late")])
    }

    @Test("superseded, dropped, and cancelled stay outcomes when a saga passes them on")
    func outcomesPassThrough() async throws {
        let gate = Gate()
        let (store, failures) = try await Self.store(sagas: [
            WorkSaga { _, context in try await context.perform(Errand()) },
            ClosureSaga<Errand>(policy: { _ in .leading }) { _, _ in await gate.pass() },
        ])
        await store.dispatch(Errand())
        await gate.arrivals()

        let ending = await Ending.of { try await store.perform(Work()) }
        await store.dispatch(Work()).finished()
        gate.open()

        #expect(ending == .dropped)
        #expect(await Self.names(in: failures, of: store) == [])
    }

    @Test("an effect error that a saga lets through is passed on unchanged: failed never wraps one")
    func effectErrorsStayThemselves() async throws {
        let (store, failures) = try await Self.store(
            sagas: [
                WorkSaga { _, context in try await context.perform(Errand()) },
                ClosureSaga<Errand> { _, context in
                    try await context.perform(Chore(name: "unhandled"))
                },
            ],
            flows: [
                QuestionFlow { question, context in
                    if question.number > 0 { return try await context.perform(Question(number: question.number - 1)) }
                    throw TestFailure(name: "deep")
                }
            ]
        )

        #expect(await Ending.of { try await store.perform(Work()) } == .unhandled)
        #expect(await Ending.of { try await store.perform(Question(number: 3)) } == .failed(TestFailure(name: "deep")))
        #expect(await Self.names(in: failures, of: store) == [])
    }

    @Test("effect errors that a saga or a flow wraps in each other are unwrapped")
    func nestedEffectErrors() async throws {
        let nested = Relux.EffectError.failed(Relux.EffectError.failed(TestFailure(name: "inner")))
        let (store, _) = try await Self.store(
            sagas: [
                WorkSaga { _, _ in throw nested },
                ClosureSaga<Errand> { _, _ in throw Relux.EffectError.failed(Relux.EffectError.unhandled) },
            ],
            flows: [QuestionFlow { _, _ in throw nested }]
        )

        #expect(await Ending.of { try await store.perform(Work()) } == .failed(TestFailure(name: "inner")))
        #expect(await Ending.of { try await store.perform(Errand()) } == .unhandled)
        #expect(await Ending.of { try await store.perform(Question(number: 0)) } == .failed(TestFailure(name: "inner")))
    }

    @Test(
        "an outcome that is wrapped in effect errors counts as that outcome, whether or not the effect was performed",
        arguments: [Relux.EffectError.superseded, Relux.EffectError.cancelled, CancellationError()] as [any Error]
    )
    func wrappedOutcomes(outcome: any Error) async throws {
        let wrapped = Relux.EffectError.failed(Relux.EffectError.failed(outcome))
        let (store, failures) = try await Self.store(
            sagas: [WorkSaga { _, _ in throw wrapped }], flows: [QuestionFlow { _, _ in throw wrapped }]
        )
        let expected = (outcome as? Relux.EffectError).map(Ending.init) ?? .cancelled

        #expect("\(await store.dispatch(Work()).outcome())" == "cancelled")
        #expect("\(await store.dispatch(Question()).outcome())" == "cancelled")
        #expect(await Ending.of { try await store.perform(Question()) } == expected)
        #expect(await Self.names(in: failures, of: store) == [])
    }

    @Test("a failure that is wrapped twice is reported wrapped once")
    func wrappedFailure() async throws {
        let (store, _) = try await Self.store(
            sagas: [WorkSaga { _, _ in throw Relux.EffectError.failed(Relux.EffectError.failed(TestFailure())) }]
        )

        guard case .failure(let failures) = await store.dispatch(Work()).outcome() else {
            Issue.record("The outcome is no failure.")
            return
        }

        #expect(failures.map { Ending($0) } == [.failed(TestFailure())])
    }

    @Test("a flow's optional value may be nil")
    func optionalAnswer() async throws {
        let (store, _) = try await Self.store(flows: [MaybeFlow()])

        #expect(try await store.perform(Maybe(value: 4)) == 4)
        #expect(try await store.perform(Maybe(value: nil)) == nil)
    }

    @Test("every stream of failures gets every failure from its creation on")
    func failureStreams() async throws {
        let (store, early) = try await Self.store(sagas: [WorkSaga { work, _ in throw TestFailure(name: work.name) }])
        await store.dispatch(Work(name: "a")).finished()
        let late = store.failures
        await store.dispatch(Work(name: "b")).finished()

        #expect(await Self.names(in: early, of: store) == ["a", "b"])
        #expect(await Self.names(in: late, of: store) == ["b"])
    }

    // MARK: Fixtures

    private static func store(
        clock: any Clock<Duration> = ManualClock(), observers: [any Relux.StoreObserver] = [],
        sagas: [any Relux.Saga] = [], flows: [any Relux.Flow] = []
    ) async throws -> (Relux.Store, Relux.FailureStream) {
        let store = try await Relux.Store(.init(clock: clock, observers: observers)) {
            SagaModule(sagas: sagas, flows: flows)
        }
        return (store, store.failures)
    }

    /// Waits for the store to become idle, shuts it down, and returns the names of everything that the stream
    /// delivered.
    private static func names(in failures: Relux.FailureStream, of store: Relux.Store) async -> [String] {
        try? await store.idle()
        await store.shutdown()
        var names: [String] = []
        for await failure in failures { names.append((failure.error as? TestFailure)?.name ?? "\(failure.error)") }
        return names
    }

    private struct FailingWatcher: Relux.Watcher {
        func watch(in context: Relux.SagaContext) async throws { throw TestFailure(name: "watcher") }
    }

    private struct Maybe: Relux.Effect {
        typealias Output = Int?
        let value: Int?
    }

    private struct MaybeFlow: Relux.Flow {
        func run(_ trigger: Maybe, in context: Relux.SagaContext) async throws -> Int? { trigger.value }
    }

    private struct LateErrorObserver: Relux.StoreObserver {
        let errors = Trace<TestFailure>()

        func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
            if let error = lateError as? TestFailure { errors.note(error) }
        }
    }
}
