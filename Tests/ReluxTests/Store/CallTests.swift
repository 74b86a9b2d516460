import Relux
import TestFixtures
import Testing

@Suite("Calling an effect", .timeLimit(.minutes(10)))
struct CallTests: Staged {
    let scene = Scene()

    @Test("it returns the value of the flow")
    func value() async throws {
        let store = try await Relux.Store {
            WorkSaga { _, context in
                let number = try await context.call(Question(number: 2))
                await context.dispatch(Log.Action.add("\(number)"))
            }.module()
            Part<TagA>(flows: [QuestionFlow { question, _ in question.number * 21 }])
        }

        #expect(try await store.call(Question(number: 1)) == 21)
        #expect(try await store.dispatcher.call(Question(number: 3)) == 63)
        try await store.call(Work())
        #expect(try await store.log() == ["42"])
    }

    @Test("it throws the error of the flow unchanged, and that of a saga")
    func error() async throws {
        let store = try await Relux.Store {
            SagaModule(
                sagas: [WorkSaga { _, _ in throw TestFailure(name: "saga") }],
                flows: [QuestionFlow { _, _ in throw TestFailure(name: "flow") }]
            )
        }

        await #expect(throws: TestFailure(name: "flow")) { try await store.call(Question()) }
        await #expect(throws: TestFailure(name: "saga")) { try await store.call(Work()) }
    }

    @Test("it throws a cancellation error if the run was cancelled or superseded")
    func cancellation() async throws {
        let store = try await Relux.Store { WorkSaga(policy: .latest) { _, _ in await gate.pass() }.module() }
        let superseded = Task { await Ending.of { try await store.call(Work()) } }
        await gate.arrivals()
        let cancelled = Task { await Ending.of { try await store.call(Work()) } }
        await gate.arrivals(atLeast: 2)
        cancelled.cancel()
        // The cancellation comes by mail.
        await store.read { _ in }
        gate.open()

        #expect(await superseded.value == .cancellationError)
        #expect(await cancelled.value == .cancellationError)
    }

    @Test("it throws the other effect errors as they are")
    func otherErrors() async throws {
        let store = try await Relux.Store {
            WorkSaga(policy: .leading) { _, _ in await gate.pass() }.module(
                ClosureSaga<Errand>(policy: { _ in .serial }) { _, context in try await context.call(Errand()) }
            )
        }
        await dispatching(Work(), in: store)

        #expect(await Ending.of { try await store.call(Work()) } == .dropped)
        #expect(await Ending.of { try await store.call(Question()) } == .unhandled)
        #expect(await Ending.of { try await store.call(Errand()) } == .cycle(waiting: "errand", on: "errand"))
        gate.open()
        await store.shutdown()
        #expect(await Ending.of { try await store.call(Work()) } == .storeShutDown)
    }
}
