import Relux
import TestFixtures
import Testing

/// Every service in these tests ignores cancellation: it waits at a gate that only the test opens.
@Suite("Law 7: no stale writes", .timeLimit(.minutes(10)))
struct Law07StaleWritesTests: Staged {
    let scene = Scene()

    /// The refused actions, as short texts.
    private func texts(of refusals: [Relux.Refusal]) -> [String] {
        refusals.map { refusal in
            if case .add(let text) = refusal.action as? Log.Action { return text }
            return (refusal.action as? Errand)?.name ?? "\(refusal)"
        }
    }

    @Test(
        "what a dead run does next, by its context or the store, is refused and reported; what it sent before is reduced",
        arguments: Halt.allCases)
    func deadRuns(halt: Halt) async throws {
        let removed = Gate()
        let (errors, numbers) = (Trace<Ending>(), Trace<UInt64?>())
        let store = try await makeStore(
            observers: [observer, HookObserver(onRemoval: { removed.open() })],
            WorkSaga(policy: .latest) { work, context in
                guard work.name == "old" else { return }
                context.send(Log.Action.add("before"))
                await gate.pass()
                guard let store = link.store else { return }
                let places: [any Relux.ActionDispatching] = [context, store, store.dispatcher]
                for place in places {
                    await place.dispatch(Log.Action.add("dispatch"))
                    place.send(Log.Action.add("send"))
                    await place.dispatch(contentsOf: [Log.Action.add("many"), Log.Action.add("more")])
                    await place.dispatch { Log.Action.add("batch") }
                    errors.note(await Ending.of { try await place.perform(Errand(name: "perform")) })
                    await place.actions { Log.Action.add("actions") }
                    numbers.note(place.doNow(Log.Action.add("now")).sequence)
                    numbers.note(place.doNow(contentsOf: [Log.Action.add("many now")]).sequence)
                }
            },
            ClosureSaga<Errand> { _, context in await context.dispatch(Log.Action.add("errand")) }
        )

        let caller = await performing(Work(name: "old"), in: store)
        let ending = Task { await halt.happen(to: caller, in: store) }
        if [.reset, .unregistered, .shutDown].contains(halt) {
            // These wait for the run, which their first step cancelled.
            await removed.pass()
        } else {
            await ending.value
        }
        gate.open()
        await ending.value
        _ = await caller.value
        try await store.idle()

        let refused = observer.refusals.entries.filter { halt == .shutDown || $0.staleRun?.id == 1 }
        let reduced = observer.records.entries.compactMap { $0.action as? Log.Action }
        #expect(reduced == [.add("before")])
        let expected = ["dispatch", "send", "many", "more", "batch", "perform", "actions", "now", "many now"]
        #expect(texts(of: refused) == expected + expected + expected)
        #expect(errors.entries == [.cancelled, .cancelled, .cancelled])
        #expect(numbers.entries == Array(repeating: nil, count: 6))
    }

    @Test("a context that outlives its run can read, but neither write nor change modules; attempts are reported")
    func contextOfADeadRun() async throws {
        let escaped = Trace<Relux.SagaContext>()
        let store = try await makeStore(observers: [observer]) { _, context in escaped.note(context) }
        try await store.perform(Work())
        let context = try #require(escaped.entries.first)
        await store.dispatch(Log.Action.add("a"))
        let read = try await context.state(of: Log.self).entries
        await store.reset()

        let dispatched = await context.dispatch(Log.Action.add("dispatch"))
        context.send(Log.Action.add("send"))
        let performed = await Ending.of { try await context.perform(Work()) }
        let result = await context.actions { Log.Action.add("actions") }

        await store.dispatch(Log.Action.add("kept"))
        #expect(await Relux.StoreError.name { try await context.register(Part<TagA>()) } == "staleRun")
        #expect(await Relux.StoreError.name { try await context.attach(Part<TagA>()) } == "staleRun")
        await context.unregister(SagaModule.self)
        await context.reset()

        #expect(read == ["a"])
        #expect(dispatched.sequence == nil)
        #expect(performed == .cancelled)
        #expect(result.endings == [.cancelled])
        #expect(try await store.log() == ["kept"])
        #expect(await Ending.of { try await store.perform(Work()) } == .returned)
        #expect(staleRuns == Array(repeating: 1, count: 8))
        #expect(!observer.trace.entries.contains("registered Part<TagA>"))
    }

    @Test("after its run has ended, a task that outlives it acts on behalf of no run, unless it uses the run's context")
    func taskLeftBehind() async throws {
        let taskEnded = Gate()
        let store = try await makeStore(observers: [observer]) { _, context in
            Task {
                await gate.pass()
                await link.store?.dispatcher.dispatch(Log.Action.add("dispatcher"))
                await context.dispatch(Log.Action.add("context"))
                await taskEnded.pass()
            }
        }

        try await store.perform(Work())
        gate.open()
        await taskEnded.arrivals()
        taskEnded.open()

        #expect(try await store.log() == ["dispatcher"])
        #expect(observer.records.entries.map { $0.cause?.id } == [nil, nil])
        #expect(staleRuns == [1])
    }

    @Test("when a cancellation races with a service that ignores it, nothing is reduced after the cancellation")
    func racingCancellations() async throws {
        for round in 0..<300 {
            let observer = TraceObserver()
            let store = try await makeStore(observers: [observer], cleanup: { _ in .add("cancelled") }) { _, context in
                for number in 0..<8 {
                    if number.isMultiple(of: 2) {
                        await context.dispatch(Log.Action.add("write"))
                    } else {
                        context.send(Log.Action.add("write"))
                    }
                }
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
            let store = try await makeStore { _, context in
                for _ in 0..<4 {
                    await context.dispatch(Log.Action.add("write"))
                    context.send(Log.Action.add("write"))
                }
            }

            await store.dispatch(Work())
            await store.reset()
            let log = try await store.log()
            try await store.idle()

            #expect(log == [], "round \(round)")
            #expect(try await store.log() == [], "round \(round)")
        }
    }

    // MARK: Finished runs

    @Test("a finished run writes nothing: by its context, by its timeouts, or by a store in its task")
    func finishedRuns() async throws {
        let store = try await makeStore(
            observers: [observer],
            WorkSaga { _, context in
                await context.finish(with: Log.Action.add("last"))
                await context.dispatch(Log.Action.add("dispatch"))
                context.send(Log.Action.add("send"))
                await context.finish(with: Log.Action.add("finish"))
                try? await context.perform(Errand(name: "perform"))
                await link.store?.dispatch(Log.Action.add("store"))
                try? await context.timeout(after: .seconds(1)) { _ = await $0.dispatch(Log.Action.add("timeout")) }
            },
            ClosureSaga<Errand> { _, context in await context.dispatch(Log.Action.add("errand")) }
        )

        try await store.perform(Work())
        try await store.idle()

        #expect(try await store.log() == ["last"])
        let expected = ["dispatch", "send", "finish", "perform", "store", "timeout"]
        #expect(texts(of: observer.refusals.entries.filter { $0.staleRun != nil }) == expected)
    }

    @Test("waits that were made through the context of a finished run end")
    func waitsEnd() async throws {
        let endings = Trace<Ending>()
        let store = try await makeStore { _, context in
            async let action = Ending.of { try await context.first(of: Log.Action.self) { $0 == .add("never") } }
            async let state = Ending.of { try await context.wait(until: Log.self) { $0.entries.contains("never") } }
            async let timed = Ending.of {
                try await context.timeout(after: .seconds(1)) { context in
                    gate.open()
                    _ = try await context.first(of: Log.Action.self) { $0 == .add("never") }
                }
            }
            await gate.pass()
            await context.finish(with: Log.Action.add("last"))
            for ending in await [action, state, timed] { endings.note(ending) }
            endings.note(await Ending.of { try await context.first(of: Log.Action.self) })
        }

        try await store.perform(Work())

        #expect(endings.entries == Array(repeating: .cancellationError, count: 4))
    }

    @Test("streams that were made through the contexts of a finished run end, and those of others go on")
    func streamsEnd() async throws {
        let counts = Trace<Int>()
        let store = try await makeStore { _, context in
            let before = context.actionStream(of: Log.Action.self)
            try await context.timeout(after: .seconds(1)) { timed in
                let inside = timed.actionStream(of: Log.Action.self)
                await timed.finish(with: Log.Action.add("last"))
                for stream in [before, inside, context.actionStream(of: Log.Action.self)] {
                    counts.note(await stream.reduce(0) { count, _ in count + 1 })
                }
            }
        }
        let outside = store.actionStream(of: Log.Action.self)

        try await store.perform(Work())
        await store.dispatch(Log.Action.add("later"))

        // The one that was made after the end has heard nothing.
        #expect(counts.entries == [1, 1, 0])
        #expect(await outside.prefix(2).reduce(0) { count, _ in count + 1 } == 2)
    }

    /// The last thing that a run does.
    enum LastStep: CaseIterable, Sendable { case finish, finishWithAction, resetWithAction }

    @Test(
        "a run that may no longer write can't finish, with or without actions, nor reset the store, and is refused",
        arguments: LastStep.allCases)
    func refused(step: LastStep) async throws {
        let store = try await makeStore(.latest, observers: [observer]) { work, context in
            guard work.name == "old" else { return }
            await gate.pass()
            switch step {
            case .finish: await context.finish {}
            case .finishWithAction: await context.finish(with: Log.Action.add("late"))
            case .resetWithAction: await context.reset(then: Log.Action.add("late"))
            }
        }
        let old = await dispatching(Work(name: "old"), in: store)
        await store.dispatch(Work(name: "new"))
        await store.dispatch(Log.Action.add("kept"))

        #expect(try await finalLog(of: store) == ["kept"])
        #expect(await old.outcome().endings == [.cancelled])
        #expect(observer.refusals.entries.compactMap(\.staleRun?.id) == [1])
        #expect(ends.filter { $0.hasPrefix("end 1") } == ["end 1 superseded"])
    }
}
