import Relux
import TestFixtures
import Testing

@Suite("Law 10: failure stays local", .timeLimit(.minutes(10)))
struct Law10FailureTests: Staged {
    let scene = Scene()

    @Test("an error thrown by one run disturbs no other")
    func othersContinue() async throws {
        let store = try await makeStore { work, context in
            if work.name == "bad" { throw TestFailure() }
            await logBehindGate(work, context)
        }

        let good = await performing(Work(name: "good"), in: store)
        let bad = await Ending.of { try await store.perform(Work(name: "bad")) }

        #expect(bad == .failed(TestFailure()))
        #expect(try await finalLog(of: store) == ["good"])
        #expect(await good.value == .returned)
    }

    @Test("every stream of failures gets every failure from its creation on, and one that is given up takes no other")
    func failureStreams() async throws {
        let (store, early) = try await failing()
        var givenUp: Relux.FailureStream? = store.failures
        await store.dispatch(Work(name: "a")).finished()
        let late = store.failures
        withExtendedLifetime(givenUp) {}
        givenUp = nil
        await store.dispatch(Work(name: "b")).finished()

        #expect(await names(in: early, of: store) == ["a", "b"])
        #expect(await names(in: late, of: store) == ["b"])
    }

    @Test(
        "the flow decides what perform returns or throws; a saga's error appears in failures, also if there is no flow",
        arguments: [.returned, .failed(TestFailure(name: "flow")), .unhandled] as [Ending])
    func flowDecides(ending: Ending) async throws {
        let saga = ClosureSaga<Question> { _, _ in throw TestFailure(name: "saga") }
        let flow = QuestionFlow { question, _ in
            if ending == .returned { return question.number }
            throw TestFailure(name: "flow")
        }
        let (store, failures) = try await failing(sagas: [saga], flows: ending == .unhandled ? [] : [flow])

        let answers = Trace<Int>()

        #expect(await Ending.of { answers.note(try await store.perform(Question(number: 3))) } == ending)
        #expect(answers.entries == (ending == .returned ? [3] : []))
        #expect(await names(in: failures, of: store) == ["saga"])
    }

    @Test("of several sagas' errors, perform throws the first, and the others appear in failures")
    func firstFailureIsThrown() async throws {
        let firstEnd = Gate()
        let (store, failures) = try await failing(
            observers: [HookObserver(onEnd: { _, _, _ in firstEnd.open() })],
            sagas: [
                WorkSaga { _, _ in
                    await gate.pass()
                    throw TestFailure(name: "second")
                },
                WorkSaga { _, _ in throw TestFailure(name: "first") },
            ]
        )

        let caller = Task { await Ending.of { try await store.perform(Work()) } }
        await firstEnd.pass()
        gate.open()

        #expect(await caller.value == .failed(TestFailure(name: "first")))
        #expect(await names(in: failures, of: store) == ["second"])
    }

    @Test("the error of a dispatched run appears in failures, with the run and the time")
    func dispatchedRunFails() async throws {
        let (store, failures) = try await failing()
        await clock.advance(by: .seconds(5))

        await store.dispatch(Work()).finished()
        let record = await failures.first { _ in true }

        #expect(record?.error as? TestFailure == TestFailure(name: "work"))
        #expect(record?.run.id == 1)
        #expect(record?.run.trigger as? Work == Work())
        #expect(record?.time == .seconds(5))
    }

    @Test("the errors of actions, of a flow that was only dispatched, and of watchers appear in failures")
    func nobodyAwaits() async throws {
        let store = Relux.Store()
        let failures = store.failures

        try await store.register(
            SagaModule(
                sagas: [Self.failingWork], flows: [QuestionFlow { _, _ in throw TestFailure(name: "flow") }],
                watchers: [ClosureWatcher { _ in throw TestFailure(name: "watcher") }]
            )
        )
        store.send(Work(name: "sent"))
        await store.dispatch(Question()).finished()
        let result = await store.actions { Work(name: "listed") }

        #expect(result.endings == [.threw(TestFailure(name: "listed"))])
        let names = await failures.prefix(4).reduce(into: []) { $0.append(($1.error as? TestFailure)?.name) }
        #expect(Set(names) == ["flow", "listed", "sent", "watcher"])
    }

    @Test("cancelled, superseded, and dropped runs never appear in failures, whatever they throw")
    func outcomesAreNoFailures() async throws {
        let late = Trace<TestFailure>()
        let hook = HookObserver(onEnd: { _, _, error in if let error = error as? TestFailure { late.note(error) } })
        let (store, failures) = try await failing(
            observers: [hook],
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

        #expect(await names(in: failures, of: store) == [])
        #expect(late.entries == [TestFailure(name: "late"), TestFailure(name: "late")])
    }

    @Test("an outcome or effect error that a saga or a flow passes on stays itself: failed never wraps one")
    func effectErrorsStayThemselves() async throws {
        let (store, failures) = try await failing(
            sagas: [
                WorkSaga { work, context in
                    try await context.perform(work.name == "dropped" ? Errand() : Errand(name: "free"))
                },
                ClosureSaga<Errand>(policy: { $0.name == "free" ? .concurrent : .leading }) { errand, context in
                    if errand.name == "free" { return try await context.perform(Chore(name: "unhandled")) }
                    await gate.pass()
                },
            ],
            flows: [
                QuestionFlow { question, context in
                    if question.number > 0 { return try await context.perform(Question(number: question.number - 1)) }
                    throw TestFailure(name: "deep")
                }
            ]
        )
        await dispatching(Errand(), in: store)

        #expect(await Ending.of { try await store.perform(Work(name: "dropped")) } == .dropped)
        await store.dispatch(Work(name: "dropped")).finished()
        #expect(await Ending.of { try await store.perform(Work()) } == .unhandled)
        #expect(await Ending.of { try await store.perform(Question(number: 3)) } == .failed(TestFailure(name: "deep")))
        #expect(await names(in: failures, of: store) == [])
    }

    @Test(
        "what is wrapped in effect errors counts as what it is, whether or not the effect was performed",
        arguments: zip(
            [
                TestFailure(), Relux.EffectError.unhandled, Relux.EffectError.superseded, Relux.EffectError.cancelled,
                CancellationError(),
            ] as [any Error],
            [.failed(TestFailure()), .unhandled, .superseded, .cancelled, .cancelled] as [Ending]))
    func wrappedErrors(error: any Error, ending: Ending) async throws {
        let wrapped = Relux.EffectError.failed(Relux.EffectError.failed(error))
        let (store, failures) = try await failing(
            sagas: [WorkSaga { _, _ in throw wrapped }], flows: [QuestionFlow { _, _ in throw wrapped }]
        )
        let isOutcome = [.superseded, .cancelled].contains(ending)

        #expect(await Ending.of { try await store.perform(Work()) } == ending)
        #expect(await Ending.of { try await store.perform(Question()) } == ending)
        #expect(await store.dispatch(Work()).outcome().endings == [isOutcome ? .cancelled : ending])
        #expect(await store.dispatch(Question()).outcome().endings == [isOutcome ? .cancelled : ending])
        #expect(await names(in: failures, of: store).isEmpty == isOutcome)
    }

    @Test("a flow's optional value may be nil")
    func optionalAnswer() async throws {
        let (store, _) = try await failing(flows: [MaybeFlow()])

        #expect(try await store.perform(Maybe(value: 4)) == 4)
        #expect(try await store.perform(Maybe(value: nil)) == nil)
    }

    // MARK: Fixtures

    /// Throws an error with the name of its trigger.
    private static let failingWork = WorkSaga { work, _ in throw TestFailure(name: work.name) }

    private func failing(
        observers: [any Relux.StoreObserver] = [], sagas: [any Relux.Saga] = [failingWork],
        flows: [any Relux.Flow] = []
    ) async throws -> (Relux.Store, Relux.FailureStream) {
        let store = try await makeStore(observers: observers, sagas: sagas, flows: flows)
        return (store, store.failures)
    }

    /// Opens the gate, waits for the store to become idle, shuts it down, and returns the names of everything that the
    /// stream delivered.
    private func names(in failures: Relux.FailureStream, of store: Relux.Store) async -> [String] {
        _ = try? await finalLog(of: store)
        await store.shutdown()
        return await failures.reduce(into: []) { $0.append(($1.error as? TestFailure)?.name ?? "\($1.error)") }
    }

    private struct Maybe: Relux.Effect {
        typealias Output = Int?
        let value: Int?
    }

    private struct MaybeFlow: Relux.Flow {
        func run(_ trigger: Maybe, in context: Relux.SagaContext) async throws -> Int? { trigger.value }
    }
}
