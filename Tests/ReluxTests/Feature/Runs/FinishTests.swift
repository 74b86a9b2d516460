import Dispatch
import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Finish", .timeLimit(.minutes(10)))
struct FinishTests: Staged {
    let scene = Scene()

    /// Policies under which a second run would be dropped, joined, superseded, or kept waiting.
    private static let policies: [Relux.Policy] = [
        .leading, .leading(limit: 1), .shared, .serial, .conflated, .concurrent(limit: 1), .latest, .latest(limit: 1),
        .leading.in(Relux.Lane("lane")),
    ]

    @Test("the next trigger starts although the body of a finished run goes on", arguments: policies)
    func freesItsPlace(policy: Relux.Policy) async throws {
        let saga = ClosureSaga<Job>(policy: \.policy) { [gate] job, context in
            await context.finish(with: Log.Action.add(job.name))
            await gate.pass()
        }
        let store = try await makeStore(observers: [observer], saga)
        await store.dispatch(Job("first", policy))
        try await store.logged("first")

        let second = await store.dispatch(Job("second", policy))
        try await store.logged("second")
        gate.open()

        #expect(await second.outcome().endings == [.returned])
        let runs = observer.trace.entries.filter { $0.hasPrefix("start") || $0.hasPrefix("end") }
        #expect(runs == ["start 1", "end 1 finished", "start 2", "end 2 finished"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("the records come first, then the run has ended, then queued runs start, then the sagas of its last actions")
    func order() async throws {
        let work = WorkSaga(policy: .serial) { [gate] work, context in
            await gate.pass()
            if work.name == "first" {
                await context.finish {
                    Log.Action.add("a")
                    Errand()
                }
            }
        }
        let store = try await makeStore(observers: [observer], work, ClosureSaga<Errand> { _, _ in })
        await store.dispatch(Work(name: "first"))
        await dispatching(Work(name: "second"), in: store)

        gate.open()
        try await store.idle()

        let decisive = observer.trace.entries.drop { !$0.hasPrefix("3") }.prefix(5)
        #expect(
            Array(decisive) == ["3 add(\"a\")", "4 Errand(name: \"errand\")", "end 1 finished", "start 2", "start 3"])
    }

    @Test("a queued run doesn't begin within the step, which may supersede it")
    func beginsAfterTheStep() async throws {
        let (jobs, lane, counts) = (RelaxedCounter(), Relux.Lane("lane"), Trace<Int>())
        let executor = ClosureExecutor { job in
            jobs.increment()
            DispatchQueue.global().async { job() }
        }
        let count: @Sendable () -> Void = { counts.note(jobs.count) }
        let middleware = HookMiddleware { action, _ in
            if action is Errand { count() }
            return .proceed
        }
        let work = WorkSaga(policy: .serial.in(lane)) { [gate] work, context in
            if work.name == "second" { Issue.record("It was superseded.") }
            await gate.pass()
            await context.finish(with: Errand())
        }
        let errand = ClosureSaga<Errand>(
            policy: { _ in
                count()
                return .latest.in(lane)
            }, body: { _, _ in })
        let store = Relux.Store(.init(executor: executor, middleware: [middleware]))
        try await store.register(work.module(errand))
        await store.dispatch(Work(name: "first"))
        let second = await dispatching(Work(name: "second"), in: store)

        gate.open()
        let outcome = await second.outcome()
        try await store.idle()

        #expect(outcome.endings == [.cancelled])
        #expect(Set(counts.entries).count == 1 && counts.entries.count == 2)
    }

    @Test("an effect that a rule adds to the last action is not dropped by the policy that the run has had")
    func rules() async throws {
        let reloading = Relux.Rule(on: Gallery.Items.Action.self) { _, reader in
            if (reader[Gallery.Items.self]?.all.count ?? 0) < 6 { [Work()] } else { [] }
        }
        let saga = WorkSaga(policy: .leading) { [trace] _, context in
            trace.note("run")
            await context.finish(with: Gallery.Items.Action.add(0))
        }
        let store = try await Relux.Store { Gallery.Module(rules: [reloading], sagas: [saga]) }

        await store.dispatch(Work())
        try await store.idle()

        #expect(trace.entries.count == 3)
        #expect(try await store.state(of: Gallery.Items.self).all.count == 6)
    }

    @Test("the receipt has the number of the last action, and waits for what the actions trigger")
    func receipt() async throws {
        let dispatched = Trace<UInt64?>()
        let errand = ClosureSaga<Errand> { _, context in await context.dispatch(Log.Action.add("errand")) }
        let work = WorkSaga { _, context in
            let receipt = await context.finish {
                Log.Action.add("a")
                Errand()
            }
            dispatched.note(receipt.sequence)
            await receipt.finished()
            dispatched.note(nil)
        }
        let store = try await makeStore(work, errand)

        try await store.perform(Work())

        #expect(dispatched.entries == [3, nil])
        #expect(try await store.log() == ["a", "errand"])
    }

    @Test("finishing in a timeout ends the run that the timeout is in, with all its timeouts")
    func inTimeout() async throws {
        let refused = Gate()
        let saga = ClosureSaga<Job>(policy: \.policy) { [gate] job, context in
            async let other: Void = context.timeout(after: .seconds(9)) { context in
                await refused.pass()
                await context.dispatch(Log.Action.add("late"))
            }
            try await context.timeout(after: .seconds(1)) { context in
                try await context.timeout(after: .seconds(1)) { context in
                    _ = await context.finish(with: Log.Action.add(job.name))
                }
            }
            await gate.pass()
            try await other
        }
        let store = try await makeStore(observers: [observer], saga)
        await store.dispatch(Job("first", .leading))
        try await store.logged("first")

        let second = await store.dispatch(Job("second", .leading))
        try await store.logged("second")
        refused.open()
        gate.open()

        #expect(await second.outcome().endings == [.returned])
        #expect(try await finalLog(of: store) == ["first", "second"])
        #expect(ends.count == 8 && ends.allSatisfy { $0.hasSuffix("finished") })
        #expect(observer.refusals.entries.compactMap(\.staleRun?.kind) == [.timeout, .timeout])
    }

    @Test("the run ends even if middleware drops its last actions, or if there are none", arguments: [true, false])
    func dropped(byMiddleware: Bool) async throws {
        let middleware = HookMiddleware { action, _ in action is Log.Action ? .drop(reason: "test") : .proceed }
        let store = try await Relux.Store(.init(middleware: [middleware], observers: [observer])) {
            ClosureSaga<Job>(policy: \.policy) { [gate] _, context in
                let receipt =
                    byMiddleware ? await context.finish(with: Log.Action.add("dropped")) : await context.finish {}
                #expect(receipt.sequence == nil)
                await gate.pass()
            }.alone
        }
        await dispatching(Job("first", .leading), in: store)

        await store.dispatch(Job("second", .leading))
        await gate.arrivals(atLeast: 2)
        gate.open()
        try await store.idle()

        #expect(ends == ["end 1 finished", "end 2 finished"])
    }

    @Test(
        "perform, and those who joined before the end, get what the body returns afterwards",
        arguments: [true, false])
    func laterResult(fails: Bool) async throws {
        let joined = Gate()
        let flow = QuestionFlow(policy: .shared) { [gate] _, context in
            await joined.pass()
            await context.finish(with: Log.Action.add("finished"))
            await gate.pass()
            if fails { throw TestFailure() }
            return 42
        }
        let store = try await makeStore(observers: [observer], flows: [flow])
        let failures = store.failures
        let performers = await [
            store.performing(Question()) { #expect($0 == 42) }, store.performing(Question()) { #expect($0 == 42) },
        ]
        joined.open()
        try await store.logged("finished")

        gate.open()
        for performer in performers { #expect(await performer.value == (fails ? .failed(TestFailure()) : .returned)) }
        await store.shutdown()

        // They have received the error. The run has finished nevertheless.
        #expect(await failures.first { _ in true } == nil)
        #expect(ends == ["end 1 finished"])
    }

    /// What waits for the task of a run.
    enum Wait: CaseIterable, Sendable {
        case finished, outcome, idle, reset, unregister, replace, shutdown

        func wait(for receipt: Relux.Dispatched, _ store: Relux.Store, _ module: SagaModule) async throws {
            switch self {
            case .finished: await receipt.finished()
            case .outcome: _ = await receipt.outcome()
            case .idle: try await store.idle()
            case .reset: await store.reset()
            case .unregister: await store.unregister(SagaModule.self)
            case .replace: try await store.replace(module)
            case .shutdown: await store.shutdown()
            }
        }
    }

    @Test("whatever waits for a run waits for the task of a finished one", arguments: Wait.allCases)
    func tasks(wait: Wait) async throws {
        let (world, returned, receipts) = (SeededExecutor(seed: 1), Trace<String>(), Trace<Relux.Dispatched>())
        let module = WorkSaga { [gate] _, context in
            await context.finish(with: Log.Action.add("finished"))
            await gate.pass()
            returned.note("body")
        }.module()
        let store = Relux.Store(.init(executor: world))
        try await store.register(module)
        await world.settle { receipts.note(await store.dispatch(Work())) }

        await world.settle {
            for receipt in receipts.entries { try? await wait.wait(for: receipt, store, module) }
            returned.note("waiter")
        }
        let early = returned.entries
        await world.open(gate)

        #expect(early == [])
        #expect(returned.entries == ["body", "waiter"])
    }

    @Test("an error that nobody receives appears in failures, after the end of the run")
    func laterFailure() async throws {
        let saga = HookedSaga<Job> { [gate] _, context in
            await context.finish(with: Log.Action.add("finished"))
            await gate.pass()
            throw TestFailure()
        }
        let store = try await makeStore(observers: [observer], saga)
        let failures = store.failures
        await store.dispatch(Job("job", .serial))
        try await store.logged("finished")

        gate.open()
        let failure = await failures.first { _ in true }

        #expect(failure?.error is TestFailure)
        #expect(failure?.run.id == 1)
        #expect(observer.trace.entries.last == "end 1 finished")
        #expect(try await store.log() == ["start job", "finished"])
    }

    @Test(
        "the end of a finished run, which others may have joined, leaves the newer runs of its lane alone",
        arguments: [Relux.Policy.leading, .shared(id: 1)])
    func forgetsItsLane(policy: Relux.Policy) async throws {
        let (joined, second) = (Gate(), Gate())
        let saga = ClosureSaga<Job>(policy: \.policy) { [gate] job, context in
            guard job.name == "first" else {
                await context.dispatch(Log.Action.add(job.name))
                return await second.pass()
            }
            await joined.pass()
            await context.finish(with: Log.Action.add("first"))
            await gate.pass()
        }
        let store = try await makeStore(saga)
        // Under the leading policy, the second one is dropped.
        let receipts = [await store.dispatch(Job("first", policy)), await store.dispatch(Job("joined", policy))]
        joined.open()
        try await store.logged("first")
        await store.dispatch(Job("second", policy))
        try await store.logged("second")
        gate.open()
        for receipt in receipts { await receipt.finished() }

        await store.dispatch(Job("third", policy))
        second.open()
        try await store.idle()

        #expect(try await store.log() == ["first", "second"])
    }

    @Test("a run can finish with the action that closes its own instance")
    func closesItsInstance() async throws {
        let saga = ClosureSaga<Chore> { _, context in
            await context.finish(with: Pages.Action.close("page"))
            throw TestFailure()
        }
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { InstancePart.logging($0, sagas: [saga]) }
        }
        let failures = store.failures
        await store.dispatch(Pages.Action.open("page"))

        await store.dispatch(Relux.ChildAction(InstancePart.self, id: "page", Chore()))
        let failure = await failures.first { _ in true }

        #expect(failure?.error is TestFailure)
        #expect(ends == ["end 1 finished"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a run that decides in its last step that it is over loses no trigger that joins it, in any order")
    func decidesItsEnd() async {
        await Simulation.explore(seeds: seeds(200)) { world in
            let handled = Shared(0)
            let saga = ClosureSaga<Errand>(policy: { _ in .shared }) { _, context in
                while let count = await context.finish(unless: { reader, last -> Int? in
                    let count = reader[Log.self]?.entries.count { $0 == "wish" } ?? 0
                    if count == handled.value { last = [Log.Action.add("over")] }
                    return count > handled.value ? count : nil
                }) {
                    try await world.latency(.zero ... .seconds(1))
                    handled.value = count
                }
            }
            let store = try await world.store { saga.alone }
            for user in 0..<3 {
                world.task("user \(user)") {
                    for _ in 0..<3 {
                        try await world.latency(.zero ... .seconds(2))
                        await store.dispatch {
                            Log.Action.add("wish")
                            Errand()
                        }
                    }
                }
            }
            await world.settled()

            #expect(handled.value == 9)
            #expect(try await store.state(of: Log.self).entries.last == "over")
        }
    }
}
