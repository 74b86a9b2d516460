import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Receipts of dispatched actions", .timeLimit(.minutes(10)))
struct DispatchedTests: Staged {
    let scene = Scene()

    // MARK: Outcome

    @Test("the outcome is that of everything the action or batch triggered, or a failure if nothing handles it")
    func outcome() async throws {
        let store = try await Relux.Store {
            WorkSaga { work, _ in
                if work.name == "bad" { throw TestFailure() }
                if work.name == "cancelled" { throw CancellationError() }
            }.module(
                ClosureSaga<Work> { work, _ in if work.name == "bad" { throw TestFailure(name: "other") } }
            )
        }

        #expect(await store.dispatch(Work()).outcome().endings == [.returned])
        #expect(await store.dispatch(Log.Action.add("a")).outcome().endings == [.returned])
        #expect(await store.dispatch(Errand()).outcome().endings == [.unhandled])
        #expect(await store.dispatch(Tick()).outcome().endings == [.unhandled])
        #expect(await store.dispatch(Work(name: "cancelled")).outcome().endings == [.cancelled])
        let bad = await store.dispatch(Work(name: "bad"))
        let batch = await store.dispatch {
            Work(name: "bad")
            Work()
        }
        for receipt in [bad, batch] {
            let endings = await receipt.outcome().endings
            #expect(endings.contains(.threw(TestFailure())))
            #expect(endings.contains(.threw(TestFailure(name: "other"))))
            #expect(endings.count == 2)
        }
    }

    // These used to be successes, because other actions of the batch were reduced.
    @Test("the outcome of a batch includes its actions that were not reduced")
    func partOfBatch() async throws {
        let dropping = HookMiddleware { action, _ in action is Tick ? .drop(reason: "test") : .proceed }
        let store = try await Relux.Store(.init(middleware: [dropping])) { Log.Module() }

        let dropped = await store.dispatch {
            Log.Action.add("a")
            Tick()
        }
        let lost = await store.dispatch {
            Tick()
            Relux.ChildAction(Chat.Module.self, id: "gone", Chat.State.Action.sent("Hello"))
            Log.Action.add("b")
            Tick()
        }

        #expect([dropped.sequence, lost.sequence] == [1, 2])
        #expect(await dropped.outcome().endings == [.cancelled])
        guard case .failure(let errors) = await lost.outcome(), errors.count == 1,
            case Relux.EffectError.noInstance? = errors.first as? Relux.EffectError
        else {
            Issue.record("\(await lost.outcome())")
            return
        }
    }

    @Test("without a sequence number, the outcome is cancelled, or a failure after a shutdown")
    func noSequence() async throws {
        let dropping = HookMiddleware { action, _ in action is Tick ? .drop(reason: "test") : .proceed }
        let store = try await Relux.Store(.init(middleware: [dropping])) { Log.Module() }

        let dropped = await store.dispatch(Tick())
        await store.shutdown()
        let late = await store.dispatch(Log.Action.add("late"))

        #expect(dropped.sequence == nil && late.sequence == nil)
        #expect(await dropped.outcome().endings == [.cancelled])
        #expect(await late.outcome().endings == [.storeShutDown])
        #expect(await Relux.Dispatcher.none.dispatch(Tick()).outcome().endings == [.storeShutDown])
    }

    @Test("the outcome of a refused write is cancelled")
    func refused() async throws {
        let outcomes = Trace<[Ending]>()
        let store = try await makeStore { _, context in
            await gate.pass()
            outcomes.note(await context.dispatch(Log.Action.add("late")).outcome().endings)
        }
        let receipt = await dispatching(Work(), in: store)

        receipt.cancel()
        await store.cancel(WorkSaga.self)
        gate.open()
        try await store.idle()

        #expect(outcomes.entries == [[.cancelled]])
    }

    @Test("the outcome requested inside the run itself is an error that is also reported")
    func insideTheRun() async throws {
        let receipts = Trace<Relux.Dispatched>()
        let outcomes = Trace<[Ending]>()
        let store = try await makeStore(observers: [observer]) { _, _ in
            await gate.pass()
            if let receipt = receipts.entries.first { outcomes.note(await receipt.outcome().endings) }
        }
        receipts.note(await store.dispatch(Work()))
        gate.open()
        try await store.idle()

        #expect(outcomes.entries == [[.cycle(waiting: "work", on: "work")]])
        #expect(observer.refusals.entries.compactMap(\.cycle).count == 1)
    }

    @Test("a cancelled task gets the outcome cancelled immediately, and the run continues")
    func cancelledWaiter() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let receipt = await jobs.dispatch("a", .concurrent)
        await jobs.arrival(of: "a")

        let waiting = Task { await receipt.outcome().endings }
        waiting.cancel()

        #expect(await waiting.value == [.cancelled])
        #expect(try await jobs.finalLog() == ["a+", "a-"])
        #expect(await receipt.outcome().endings == [.returned])
    }

    @Test("when the store is released, the outcome is cancelled")
    func released() async throws {
        var store: Relux.Store? = try await Relux.Store { WorkSaga { _, _ in await gate.pass() }.module() }
        let receipt = try #require(await store?.dispatch(Work()))
        await gate.arrivals()

        store = nil

        #expect(await receipt.outcome().endings == [.cancelled])
        gate.open()
    }

    // MARK: Cancellation

    @Test("cancelling it cancels what the action triggered and what that performs, and cleans up")
    func cancel() async throws {
        let jobs = try await JobStore(gated: ["child"]) { job, context in
            if job.name == "parent" { try await context.perform(Job("child", .concurrent)) }
        }
        let receipt = await jobs.dispatch("parent", .concurrent)
        let other = await jobs.dispatch("other", .concurrent)
        await jobs.arrival(of: "child")
        await other.finished()

        receipt.cancel()
        let log = try await jobs.finalLog()

        #expect(await receipt.outcome().endings == [.cancelled])
        #expect(Set(log.suffix(2)) == ["cleaned up child", "cleaned up parent"])
        #expect(await other.outcome().endings == [.returned])
    }

    @Test("it is ordered like a send: before what the task does next, and after what it did before")
    func order() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let receipt = await jobs.dispatch("a", .concurrent)
        await jobs.arrival(of: "a")

        jobs.store.send(Log.Action.add("before"))
        receipt.cancel()
        jobs.store.send(Log.Action.add("after"))

        #expect(try await jobs.store.log() == ["a+", "before", "cleaned up a", "after"])
        _ = try await jobs.finalLog()
    }

    @Test("it does nothing once the work has ended, or if there was none")
    func tooLate() async throws {
        let jobs = try await JobStore()
        let receipt = await jobs.dispatch("a", .concurrent)
        await receipt.finished()

        receipt.cancel()
        await jobs.store.dispatch(Log.Action.add("b")).cancel()

        #expect(await receipt.outcome().endings == [.returned])
        #expect(try await jobs.finalLog() == ["a+", "a-", "b"])
    }
}
