import Relux
import TestFixtures
import Testing

@Suite("Law 6: what awaiting means", .timeLimit(.minutes(10)))
struct Law06AwaitingTests {
    @Test("send returns before the action is reduced, and the task's next call is ordered after it")
    func sendReturnsAtOnce() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { _, context in
                await gate.pass()
                await context.dispatch(Log.Action.add("run"))
            }.module()
        }

        store.send(Work())
        let logAfterSend = try await store.log()
        await gate.arrivals()
        gate.open()
        try await store.idle()

        #expect(logAfterSend == [])
        #expect(try await store.log() == ["run"])
    }

    @Test("dispatch returns when the action has been reduced, while its run is still active")
    func dispatchReturnsBeforeTheRunEnds() async throws {
        let gate = Gate()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga { _, _ in await gate.pass() }.module()
        }

        let dispatched = await store.dispatch(Work())
        let traceAfterDispatch = observer.trace.entries
        gate.open()
        await dispatched.finished()

        #expect(dispatched.sequence == 1)
        #expect(traceAfterDispatch.suffix(2) == ["1 Work(name: \"work\")", "start 1"])
        #expect(observer.trace.entries.suffix(1) == ["end 1 finished"])
    }

    @Test("finished returns when every run that the action triggered has ended")
    func finishedWaitsForAll() async throws {
        let gates = (first: Gate(), second: Gate())
        let trace = Trace<String>()
        let store = try await Relux.Store {
            WorkSaga { _, _ in
                await gates.first.pass()
                trace.note("first")
            }.module(
                WorkSaga { _, _ in
                    await gates.second.pass()
                    trace.note("second")
                }
            )
        }

        let dispatched = await store.dispatch(Work())
        let waiting = Task {
            await dispatched.finished()
            trace.note("finished")
        }
        gates.first.open()
        await gates.second.arrivals()
        gates.second.open()
        await waiting.value

        #expect(trace.entries.sorted() == ["finished", "first", "second"])
        #expect(trace.entries.last == "finished")
    }

    @Test("finished doesn't wait for what the runs only dispatched")
    func finishedIgnoresGrandchildren() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { _, context in await context.dispatch(Errand()) }
                .module(ClosureSaga<Errand> { _, _ in await gate.pass() })
        }

        // This would hang if it waited for the errand.
        await store.dispatch(Work()).finished()

        await gate.arrivals()
        gate.open()
        try await store.idle()
    }

    @Test("finished of an action that triggered nothing returns immediately")
    func finishedOfAPlainAction() async throws {
        let store = try await Relux.Store { Log.Module() }

        let dispatched = await store.dispatch(Log.Action.add("a"))
        await dispatched.finished()

        #expect(dispatched.sequence == 1)
    }

    @Test("finished of a batch waits for what all of its actions triggered, and its number is that of the last")
    func finishedOfABatch() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { work, context in
                if work.name == "slow" { await gate.pass() }
                await context.dispatch(Log.Action.add(work.name))
            }.module()
        }

        let batch = await store.dispatch {
            Work(name: "slow")
            Work(name: "quick")
            Log.Action.add("plain")
        }
        let waiting = Task {
            await batch.finished()
            return try await store.log()
        }
        await gate.arrivals()
        gate.open()

        #expect(batch.sequence == 3)
        #expect(try await waiting.value.sorted() == ["plain", "quick", "slow"])
    }

    @Test("finished in a cancelled task returns immediately, and the run continues")
    func finishedIsCutShort() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { _, context in
                await gate.pass()
                await context.dispatch(Log.Action.add("run"))
            }.module()
        }
        let dispatched = await store.dispatch(Work())
        let waiting = Task { await dispatched.finished() }

        waiting.cancel()
        await waiting.value
        gate.open()
        try await store.idle()

        #expect(try await store.log() == ["run"])
    }

    @Test("perform returns when all runs that the effect triggered have ended, not only the flow")
    func performWaitsForAll() async throws {
        let gate = Gate()
        let trace = Trace<String>()
        let store = try await Relux.Store {
            SagaModule(
                sagas: [
                    ClosureSaga<Question> { _, _ in
                        await gate.pass()
                        trace.note("saga")
                    }
                ],
                flows: [
                    QuestionFlow { question, _ in
                        trace.note("flow")
                        return question.number
                    }
                ]
            )
        }

        let asking = Task {
            let answer = try await store.perform(Question(number: 7))
            trace.note("answer \(answer)")
        }
        await gate.arrivals()
        gate.open()
        try await asking.value

        #expect(trace.entries.sorted() == ["answer 7", "flow", "saga"])
        #expect(trace.entries.last == "answer 7")
    }

    @Test("finished, perform, and actions count a run that will never start as ended")
    func neverStartedRunsCount() async throws {
        let gate = Gate()
        let store = try await Relux.Store { WorkSaga(policy: .leading) { _, _ in await gate.pass() }.module() }
        await store.dispatch(Work())
        await gate.arrivals()

        // Each of these would hang if it waited for the active run.
        await store.dispatch(Work()).finished()
        let performed = await Ending.of { try await store.perform(Work()) }
        let result = await store.actions { Work() }

        #expect(performed == .dropped)
        #expect(result.endings == [.cancelled])
        gate.open()
        try await store.idle()
    }

    @Test("serial actions finish each action, including what it triggered, before the next is reduced")
    func actionsSerially() async throws {
        let store = try await Relux.Store {
            WorkSaga { work, context in await context.dispatch(Log.Action.add(work.name)) }.module()
        }

        let result = await store.actions(.serially) {
            Work(name: "a")
            Log.Action.add("b")
            Work(name: "c")
            Log.Action.add("d")
        }

        #expect(result.endings == [.returned])
        #expect(try await store.log() == ["a", "b", "c", "d"])
    }

    @Test("concurrent actions are all reduced, in order, before anything is awaited")
    func actionsConcurrently() async throws {
        let gate = Gate()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga { work, _ in
                // Only the last run opens the gate for the first, so running them one after the other would hang.
                if work.name == "a" { await gate.pass() } else { gate.open() }
            }.module()
        }

        let result = await store.actions(.concurrently) {
            Work(name: "a")
            Log.Action.add("b")
            Work(name: "c")
        }

        #expect(result.endings == [.returned])
        #expect(observer.records.entries.map(\.sequence) == [1, 2, 3])
        #expect(observer.records.entries[1].action as? Log.Action == .add("b"))
    }

    @Test("serial actions continue after a failure, and the result contains every error")
    func actionsContinueAfterAFailure() async throws {
        let store = try await Relux.Store {
            WorkSaga { work, _ in throw TestFailure(name: work.name) }.module()
        }

        let result = await store.actions {
            Work(name: "a")
            Chore()
            Log.Action.add("b")
            Work(name: "c")
        }

        #expect(
            result.endings == [.threw(TestFailure(name: "a")), .unhandled, .threw(TestFailure(name: "c"))]
        )
        #expect(try await store.log() == ["b"])
    }

    @Test("the result of actions is a failure if there is one, even if something was cancelled")
    func actionsPreferFailures() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga(policy: .leading) { _, _ in await gate.pass() }
                .module(ClosureSaga<Errand> { _, _ in throw TestFailure() })
        }
        await store.dispatch(Work())

        let cancelled = await store.actions { Work() }
        let failed = await store.actions {
            Work()
            Errand()
        }

        #expect(cancelled.endings == [.cancelled])
        #expect(failed.endings == [.threw(TestFailure())])
        gate.open()
        try await store.idle()
    }

    @Test("when the task is cancelled, the remaining actions aren't reduced, and the run continues")
    func actionsAreCutShort() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { work, context in
                await gate.pass()
                await context.dispatch(Log.Action.add(work.name))
            }.module()
        }

        let waiting = Task {
            await store.actions {
                Work(name: "run")
                Log.Action.add("never")
            }
        }
        await gate.arrivals()
        waiting.cancel()
        let result = await waiting.value
        gate.open()
        try await store.idle()

        #expect(result.endings == [.cancelled])
        #expect(try await store.log() == ["run"])
    }

    @Test("the errors of the verbs are typed")
    func typedErrors() async throws {
        let store = try await Relux.Store { SagaModule(flows: [QuestionFlow { _, _ in throw TestFailure() }]) }
        var caught: [String] = []

        // Each of these compiles only if the verb throws exactly this type.
        do throws(Relux.EffectError) {
            _ = try await store.perform(Question())
        } catch {
            if case .failed(let error) = error { caught.append("\(type(of: error))") }
        }
        do throws(Relux.StoreError) {
            _ = try await store.state(of: Missing.self)
        } catch {
            if case .stateNotOwned = error { caught.append("state") }
        }
        do throws(Relux.StoreError) {
            try await store.register(Log.Module())
            await (try await store.attach(Log.Module())).end()
        } catch {
            caught.append("register")
        }
        do throws(Relux.NotIdle) {
            try await store.idle()
        } catch {
            caught.append("idle")
        }

        #expect(caught == ["TestFailure", "state"])
    }

    private struct Missing: Relux.State {
        typealias Action = Never
    }
}
