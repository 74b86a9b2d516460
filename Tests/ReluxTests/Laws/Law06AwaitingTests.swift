import Relux
import TestFixtures
import Testing

@Suite("Law 6: what awaiting means", .timeLimit(.minutes(10)))
struct Law06AwaitingTests: Staged {
    let scene = Scene()

    @Test("dispatch returns when the action has been reduced, while its run is still active")
    func dispatchReturnsBeforeTheRunEnds() async throws {
        let store = try await makeStore(observers: [observer]) { _, _ in await gate.pass() }

        let dispatched = await store.dispatch(Work())
        let traceAfterDispatch = observer.trace.entries
        gate.open()
        await dispatched.finished()

        #expect(dispatched.sequence == 1)
        #expect(traceAfterDispatch.suffix(2) == ["1 Work(name: \"work\")", "start 1"])
        #expect(observer.trace.entries.suffix(1) == ["end 1 finished"])
    }

    @Test("finished returns when every run that the action or batch triggered has ended, and waits for no others")
    func finishedWaitsForAll() async throws {
        let errands = Gate()
        let store = try await makeStore(
            WorkSaga { work, context in
                if work.name == "slow" { await gate.pass() }
                trace.note(work.name)
            },
            ClosureSaga<Work> { work, context in
                await context.dispatch(Errand())
                trace.note("other \(work.name)")
            },
            ClosureSaga<Errand> { _, _ in await errands.pass() }
        )

        let batch = await store.dispatch {
            Work(name: "slow")
            Work(name: "quick")
            Log.Action.add("plain")
        }
        let waiting = Task {
            await batch.finished()
            trace.note("finished")
        }
        // The errands, which were only dispatched, go on: this would hang if it waited for them.
        await errands.arrivals(atLeast: 2)
        gate.open()
        await waiting.value

        #expect(batch.sequence == 3)
        #expect(trace.entries.dropLast().sorted() == ["other quick", "other slow", "quick", "slow"])
        #expect(trace.entries.last == "finished")
        errands.open()
        try await store.idle()
    }

    @Test("perform returns when all runs that the effect triggered have ended, not only the flow")
    func performWaitsForAll() async throws {
        let store = try await makeStore(
            ClosureSaga<Question> { _, _ in
                await gate.pass()
                trace.note("saga")
            },
            flows: [
                QuestionFlow { question, _ in
                    trace.note("flow")
                    return question.number
                }
            ]
        )

        let asking = Task { trace.note("answer \(try await store.perform(Question(number: 7)))") }
        await gate.arrivals()
        gate.open()
        try await asking.value

        #expect(trace.entries.sorted() == ["answer 7", "flow", "saga"])
        #expect(trace.entries.last == "answer 7")
    }

    @Test("finished, perform, and actions count a run that will never start as ended")
    func neverStartedRunsCount() async throws {
        let store = try await makeStore(.leading) { _, _ in await gate.pass() }
        await dispatching(Work(), in: store)

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
        let store = try await makeStore { work, context in await context.dispatch(Log.Action.add(work.name)) }

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
        let store = try await makeStore(observers: [observer]) { work, _ in
            // Only the last run opens the gate for the first, so running them one after the other would hang.
            if work.name == "a" { await gate.pass() } else { gate.open() }
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

    @Test("actions continue after a failure, and the result is every error, even if something was cancelled")
    func actionsContinueAfterAFailure() async throws {
        let store = try await makeStore { work, _ in
            if work.name == "cancelled" { throw CancellationError() }
            throw TestFailure(name: work.name)
        }

        let cancelled = await store.actions { Work(name: "cancelled") }
        let failed = await store.actions {
            Work(name: "a")
            Work(name: "cancelled")
            Chore()
            Log.Action.add("b")
            Work(name: "c")
        }

        #expect(cancelled.endings == [.cancelled])
        #expect(failed.endings == [.threw(TestFailure(name: "a")), .unhandled, .threw(TestFailure(name: "c"))])
        #expect(try await store.log() == ["b"])
    }

    @Test("when the task is cancelled, the remaining actions aren't reduced, and the run continues")
    func actionsAreCutShort() async throws {
        let store = try await makeStore { await logBehindGate($0, $1) }
        let waiting = Task {
            await store.actions {
                Work()
                Log.Action.add("never")
            }
        }
        await gate.arrivals()

        waiting.cancel()

        #expect(await waiting.value.endings == [.cancelled])
        #expect(try await finalLog(of: store) == ["work"])
    }

    @Test("the errors of the verbs are typed")
    func typedErrors() async throws {
        let store = Relux.Store()
        var caught: [String] = []

        // Each of these compiles only if the verbs throw exactly this type.
        do throws(Relux.EffectError) { try await store.perform(Work()) } catch { caught.append("\(Ending(error))") }
        do throws(Relux.NotIdle) { try await store.idle() } catch { caught.append("idle") }
        do throws(Relux.StoreError) {
            try await store.register(Log.Module())
            await (try await store.attach(Log.Module())).end()
            _ = try await store.state(of: Counter<TagA>.self)
        } catch {
            caught.append(error.name)
        }

        #expect(caught == ["unhandled", "stateNotOwned"])
    }
}
