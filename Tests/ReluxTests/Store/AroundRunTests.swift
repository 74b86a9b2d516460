import Relux
import ReluxTesting
import Testing

@Suite("aroundRun, and the names of tasks", .timeLimit(.minutes(10)))
struct AroundRunTests {
    @TaskLocal static var span = "none"

    /// What sagas and wrappers noted, in order.
    private let trace = Trace<String>()

    private func store(
        _ wrapper: @escaping Relux.RunWrapper,
        _ body: @escaping @Sendable (Work, Relux.SagaContext) async throws -> Void
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(aroundRun: wrapper)) { WorkSaga(body: body).module() }
    }

    @Test("task-local values that it binds reach the body of the run")
    func taskLocals() async throws {
        let store = try await store { run, body in
            try await Self.$span.withValue("\(run)") { try await body() }
        } _: { [trace] _, _ in
            trace.note(Self.span)
        }

        try await store.perform(Work(name: "load"))

        #expect(trace.entries == ["WorkSaga #1"])
    }

    @Test("a closure of the type without isolation will do")
    func plainFunctions() async throws {
        let trace = trace
        let wrapper: @Sendable (Relux.RunRecord, () async throws -> Void) async throws -> Void = { run, body in
            trace.note("before \(run.id)")
            try await body()
            trace.note("after \(run.id)")
        }
        var configuration = Relux.StoreConfiguration()
        configuration.aroundRun = wrapper
        let store = try await Relux.Store(configuration) {
            WorkSaga { _, _ in trace.note("body") }.module()
        }

        try await store.perform(Work(name: "load"))

        #expect(trace.entries == ["before 1", "body", "after 1"])
    }

    @Test(
        "an error of the body is the error of the run, even if the wrapper catches or replaces it",
        arguments: [false, true])
    func bodyErrors(isReplaced: Bool) async throws {
        let store = try await store { _, body in
            do { try await body() } catch {
                if isReplaced { throw TestFailure(name: "wrapper") }
            }
        } _: { _, _ in
            throw TestFailure()
        }

        let ending = await Ending.of { try await store.perform(Work(name: "load")) }

        #expect(ending == .failed(TestFailure()))
    }

    @Test(
        "an error of the wrapper fails the run, or what awaits the timeout",
        arguments: [Relux.RunRecord.Kind.saga, .timeout])
    func wrapperErrors(kind: Relux.RunRecord.Kind) async throws {
        let store = try await store { run, body in
            try await body()
            if run.kind == kind { throw TestFailure() }
        } _: { _, context in
            try await context.timeout(after: .seconds(60)) { _ in }
        }

        #expect(await store.dispatch(Work(name: "load")).outcome().endings == [.threw(TestFailure())])
    }

    @Test("a wrapper that doesn't call the body cancels the run, and one that calls it twice executes it once")
    func calls() async throws {
        let idle = try await store { _, _ in
        } _: { [trace] _, _ in
            trace.note("never")
        }
        await #expect(throws: Relux.EffectError.self) { try await idle.perform(Work(name: "load")) }

        let eager = try await store { _, body in
            try await body()
            try await body()
        } _: { [trace] _, _ in
            trace.note("once")
        }
        try await eager.perform(Work(name: "load"))

        #expect(trace.entries == ["once"])
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test("the task of a run has the name of its saga")
    func names() async throws {
        let trace = trace
        let store = try await Relux.Store {
            WorkSaga { _, _ in trace.note(Task.name ?? "none") }.module()
        }

        await store.dispatch(Work(name: "dispatched")).finished()
        try await store.perform(Work(name: "performed"))

        #expect(trace.entries == ["WorkSaga", "WorkSaga"])
    }

    @Test("the record of a run has the number of the action that triggered it, in a batch too")
    func triggers() async throws {
        let observer = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { WorkSaga { _, _ in }.module() }

        await store.dispatch(Work(name: "first")).finished()
        await store.dispatch {
            Work(name: "second")
            Work(name: "third")
        }.finished()

        let triggers = observer.events.compactMap { event -> UInt64? in
            if case .runStarted(let run) = event { run.triggerSequence } else { nil }
        }
        #expect(triggers == [1, 2, 3])
    }
}
