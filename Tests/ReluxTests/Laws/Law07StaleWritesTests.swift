import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Every service in these tests ignores cancellation: it waits at a gate that only the test opens.
@Suite("Law 7: no stale writes", .timeLimit(.minutes(10)))
struct Law07StaleWritesTests {
    /// How a run loses the right to write before it does so.
    enum Termination: String, CaseIterable, Sendable {
        case cancelledByItsCaller, cancelledByName, superseded, reset, unregistered, shutDown
    }

    @Test(
        "whatever a dead run does next, nothing is reduced and each write is reported", arguments: Termination.allCases)
    func deadRuns(termination: Termination) async throws {
        let gate = Gate()
        let observer = TraceObserver()
        let removal = RemovalObserver()
        let errors = Trace<Ending>()
        let store = try await Relux.Store(.init(observers: [observer, removal])) {
            WorkSaga(policy: .latest) { work, context in
                guard work.name == "old" else { return }
                await gate.pass()
                await context.dispatch(Log.Action.add("dispatch"))
                context.send(Log.Action.add("send"))
                await context.dispatch(contentsOf: [Log.Action.add("many"), Log.Action.add("more")])
                await context.dispatch { Log.Action.add("batch") }
                errors.note(await Ending.of { try await context.perform(Errand(name: "perform")) })
                await context.actions { Log.Action.add("actions") }
            }.module(ClosureSaga<Errand> { _, context in await context.dispatch(Log.Action.add("errand")) })
        }
        await store.dispatch(Log.Action.add("before"))

        let caller = Task { try await store.perform(Work(name: "old")) }
        await gate.arrivals()
        let ending = Task {
            switch termination {
            case .cancelledByItsCaller: caller.cancel()
            case .cancelledByName: await store.cancel(WorkSaga.self)
            case .superseded: await store.dispatch(Work(name: "new"))
            case .reset: await store.reset()
            case .unregistered: await store.unregister(SagaModule.self)
            case .shutDown: await store.shutdown()
            }
        }
        if [.reset, .unregistered, .shutDown].contains(termination) {
            // These wait for the run, which their first step cancelled.
            await removal.happened.pass()
        } else {
            await ending.value
        }
        gate.open()
        await ending.value
        _ = await caller.result
        try await store.idle()

        let refused = observer.refusals.entries.filter { termination == .shutDown || $0.staleRun?.id == 1 }
        let texts = refused.map { refusal -> String in
            if case .add(let text) = refusal.action as? Log.Action { return text }
            return (refusal.action as? Errand)?.name ?? "\(refusal)"
        }
        let reduced = observer.records.entries.compactMap { $0.action as? Log.Action }
        #expect(reduced == [.add("before")])
        #expect(texts == ["dispatch", "send", "many", "more", "batch", "perform", "actions"])
        #expect(errors.entries == [.cancelled])
    }

    @Test("a context that outlives its run can't write after the run has ended, and a reset stays final")
    func escapedContext() async throws {
        let escaped = Trace<Relux.SagaContext>()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga { _, context in escaped.note(context) }.module()
        }
        try await store.perform(Work())
        let context = try #require(escaped.entries.first)
        await store.reset()

        let dispatched = await context.dispatch(Log.Action.add("dispatch"))
        context.send(Log.Action.add("send"))
        let performed = await Ending.of { try await context.perform(Work()) }
        let result = await context.actions { Log.Action.add("actions") }

        #expect(dispatched.sequence == nil)
        #expect(performed == .cancelled)
        #expect(result.endings == [.cancelled])
        #expect(try await store.log() == [])
        #expect(observer.refusals.entries.map { $0.staleRun?.id } == [1, 1, 1, 1])
    }

    @Test("a dead run can't register, attach, unregister, or reset, and each attempt is reported")
    func modulesOfADeadRun() async throws {
        let escaped = Trace<Relux.SagaContext>()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga { _, context in escaped.note(context) }.module()
        }
        try await store.perform(Work())
        await store.dispatch(Log.Action.add("kept"))
        let context = try #require(escaped.entries.first)

        var staleRuns: [UInt64] = []
        do throws(Relux.StoreError) {
            try await context.register(Extra())
        } catch {
            if case .staleRun(let run, _) = error { staleRuns.append(run.id) }
        }
        do throws(Relux.StoreError) {
            _ = try await context.attach(Extra())
        } catch {
            if case .staleRun(let run, _) = error { staleRuns.append(run.id) }
        }
        await context.unregister(SagaModule.self)
        await context.reset()

        #expect(staleRuns == [1, 1])
        #expect(try await store.log() == ["kept"])
        #expect(await Ending.of { try await store.perform(Work()) } == .returned)
        #expect(observer.refusals.entries.map { $0.staleRun?.id } == [1, 1, 1, 1])
        #expect(!observer.trace.entries.contains("registered Extra"))
    }

    @Test("a store and a dispatcher that a saga captured act on behalf of its run while the run lasts")
    func capturedStore() async throws {
        let gate = Gate()
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [observer]))
        let dispatcher = store.dispatcher
        try await store.register(
            WorkSaga { [weak store] _, _ in
                await gate.pass()
                await store?.dispatch(Log.Action.add("store"))
                store?.send(Log.Action.add("store sends"))
                await dispatcher.dispatch(Log.Action.add("dispatcher"))
                dispatcher.send(Log.Action.add("dispatcher sends"))
                _ = await Ending.of { try await dispatcher.perform(Work()) }
            }.module()
        )

        await store.dispatch(Work())
        await gate.arrivals()
        await store.cancel(WorkSaga.self)
        gate.open()
        try await store.idle()

        #expect(try await store.log() == [])
        #expect(observer.refusals.entries.map { $0.staleRun?.id } == [1, 1, 1, 1, 1])
    }

    @Test("after its run has ended, a task that outlives it acts on behalf of no run, unless it uses the run's context")
    func taskLeftBehind() async throws {
        let (runEnded, taskEnded) = (Gate(), Gate())
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [observer]))
        let dispatcher = store.dispatcher
        try await store.register(
            WorkSaga { _, context in
                Task {
                    await runEnded.pass()
                    await dispatcher.dispatch(Log.Action.add("dispatcher"))
                    await context.dispatch(Log.Action.add("context"))
                    await taskEnded.pass()
                }
            }.module()
        )

        try await store.perform(Work())
        runEnded.open()
        await taskEnded.arrivals()
        taskEnded.open()

        #expect(try await store.log() == ["dispatcher"])
        #expect(observer.records.entries.map { $0.cause?.id } == [nil, nil])
        #expect(observer.refusals.entries.map { $0.staleRun?.id } == [1])
    }

    @Test("an action that a run sent before it was cancelled is reduced, and one sent after is not")
    func placeInTheOrder() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { _, context in
                context.send(Log.Action.add("before"))
                await gate.pass()
                context.send(Log.Action.add("after"))
            }.module()
        }

        await store.dispatch(Work())
        await gate.arrivals()
        await store.cancel(WorkSaga.self)
        gate.open()
        try await store.idle()

        #expect(try await store.log() == ["before"])
    }

    @Test("when a cancellation races with a service that ignores it, nothing is reduced after the cancellation")
    func racingCancellations() async throws {
        for round in 0..<300 {
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) {
                WorkSaga(cleanup: { _ in .add("cancelled") }) { _, context in
                    for number in 0..<8 {
                        if number.isMultiple(of: 2) {
                            await context.dispatch(Log.Action.add("write"))
                        } else {
                            context.send(Log.Action.add("write"))
                        }
                    }
                }.module()
            }

            let caller = Task { try await store.perform(Work()) }
            let canceller = Task {
                if round.isMultiple(of: 2) { caller.cancel() } else { await store.cancel(WorkSaga.self) }
            }
            await canceller.value
            _ = await caller.result
            try await store.idle()

            // The cleanup action is reduced in the step that cancels, so it marks the cancellation in the order.
            let log = try await store.log()
            #expect(log.last == "cancelled" || !log.contains("cancelled"), "round \(round): \(log)")
            let writes = log.count { $0 == "write" }
            let refusals = observer.refusals.entries.count { $0.staleRun != nil }
            // A run that was cancelled before its body began writes nothing.
            if log.contains("cancelled") { #expect([0, 8].contains(writes + refusals), "round \(round)") }
        }
    }

    @Test("when a reset races with a service that ignores cancellation, the reset is never overwritten")
    func racingResets() async throws {
        for round in 0..<200 {
            let store = try await Relux.Store {
                WorkSaga { _, context in
                    for _ in 0..<4 {
                        await context.dispatch(Log.Action.add("write"))
                        context.send(Log.Action.add("write"))
                    }
                }.module()
            }

            await store.dispatch(Work())
            await store.reset()
            let log = try await store.log()
            try await store.idle()

            #expect(log == [], "round \(round)")
            #expect(try await store.log() == [], "round \(round)")
        }
    }

    @Test("a dead run can still read")
    func readingContinues() async throws {
        let escaped = Trace<Relux.SagaContext>()
        let store = try await Relux.Store { WorkSaga { _, context in escaped.note(context) }.module() }
        try await store.perform(Work())
        await store.dispatch(Log.Action.add("a"))

        let context = try #require(escaped.entries.first)

        #expect(try await context.state(of: Log.self).entries == ["a"])
    }

    private struct Extra: Relux.Module {}
}
