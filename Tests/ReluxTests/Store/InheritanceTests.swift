import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("What a run inherits", .timeLimit(.minutes(10)))
struct InheritanceTests {
    @TaskLocal static var request = "none"

    @Test("a run has the task-local values and the priority of the task that dispatched or performed its trigger")
    func dispatched() async throws {
        let (store, trace, _) = try await Self.store()

        try await Self.inRequest {
            await store.dispatch(Job("dispatch", .concurrent)).finished()
            await store.dispatch { Job("batch", .concurrent) }.finished()
            await store.dispatcher.dispatch(Job("dispatcher", .concurrent)).finished()
            try await store.perform(Job("perform", .concurrent))
            await store.actions { Job("actions", .concurrent) }
        }

        #expect(
            trace.entries == [
                "dispatch: request, true", "batch: request, true", "dispatcher: request, true",
                "perform: request, true",
                "actions: request, true",
            ]
        )
    }

    @Test("a run that had to wait also has them, however it was started")
    func delayed() async throws {
        let gate = Gate()
        let (store, trace, clock) = try await Self.store(gate)
        await store.dispatch(Job("first", .serial))
        await gate.arrivals()

        try await Self.inRequest {
            await store.dispatch(Job("queued", .serial))
            await store.dispatch(Job("debounced", .debounce(.seconds(1), id: 1)))
            await store.dispatch(Job("throttled at once", .throttle(.seconds(1), id: 2)))
            await store.dispatch(Job("throttled", .throttle(.seconds(1), id: 2)))
        }
        await clock.advance(by: .seconds(1), pastSleepers: 2)
        gate.open()
        try await store.idle()

        #expect(
            trace.entries.sorted() == [
                "debounced: request, true", "first: none, false", "queued: request, true",
                "throttled at once: request, true", "throttled: request, true",
            ]
        )
    }

    @Test("the runs that a run performs or dispatches also have them")
    func children() async throws {
        let (store, trace, _) = try await Self.store { job, context in
            guard job.name == "parent" else { return }
            try await context.perform(Job("child", .concurrent))
            await context.dispatch(Job("dispatched", .concurrent)).finished()
        }

        try await Self.inRequest { try await store.perform(Job("parent", .concurrent)) }

        #expect(trace.entries == ["parent: request, true", "child: request, true", "dispatched: request, true"])
    }

    @Test("a run triggered by a send has neither, whichever task empties the mailbox, and a later one has them again")
    func sent() async throws {
        let (store, trace, _) = try await Self.store()

        try await Self.inRequest {
            store.send(Job("send", .concurrent))
            store.dispatcher.send(Job("dispatcher", .concurrent))
            // This call enters the store and also delivers the send.
            await store.dispatch(Job("next", .concurrent))
        }
        try await store.idle()

        #expect(
            trace.entries.sorted() == ["dispatcher: none, false", "next: request, true", "send: none, false"])
    }

    // MARK: Fixtures

    private static func inRequest(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Task(priority: .high) {
            try await $request.withValue("request") { try await body() }
        }.value
    }

    private static func store(
        _ gate: Gate? = nil,
        _ body: @escaping @Sendable (Job, Relux.SagaContext) async throws -> Void = { _, _ in }
    ) async throws -> (Relux.Store, Trace<String>, ManualClock) {
        let trace = Trace<String>()
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) {
            ClosureSaga<Job>(policy: \.policy) { job, context in
                trace.note("\(job.name): \(request), \(Task.currentPriority == .high)")
                if job.name == "first" { await gate?.pass() }
                try await body(job, context)
            }.alone
        }
        return (store, trace, clock)
    }
}
