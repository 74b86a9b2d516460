import Relux
import ReluxTesting
import Testing

/// Each of these tests would hang without the law.
@Suite("Law 12: no hidden deadlock of finished runs", .timeLimit(.minutes(10)))
struct Law12FinishedRunsTests: Staged {
    let scene = Scene()

    @Test("a finished run that waits for the store to become idle gets an error: its task would wait for itself")
    func idleness() async throws {
        let reasons = Trace<Relux.NotIdle.Reason>()
        let store = try await makeStore { _, context in
            await context.finish(with: Log.Action.add("finished"))
            do throws(Relux.NotIdle) { try await link.store?.idle() } catch { reasons.note(error.reason) }
        }

        try await store.perform(Work())

        let isCycle = reasons.entries.map { if case .calledFromRun = $0 { true } else { false } }
        #expect(isCycle == [true])
    }

    @Test(
        "a finished run can wait for a later run of its lane, which doesn't wait for it",
        arguments: [Relux.Policy.serial, .leading, .shared, .latest, .conflated, .concurrent(limit: 1)])
    func ownLane(policy: Relux.Policy) async throws {
        let store = try await makeStore(policy) { work, context in
            if work.name == "outer" {
                await context.finish(with: Work(name: "inner")).finished()
                #expect(await Ending.of { try await context.perform(Work(name: "late")) } == .cancelled)
            } else {
                await context.finish(with: Log.Action.add(work.name))
            }
        }

        try await store.perform(Work(name: "outer"))

        #expect(try await store.log() == ["inner"])
    }

    @Test("a run that waits for a finished one that waits for it gets an error")
    func eachOther() async throws {
        let (receipts, endings) = (Trace<Relux.Dispatched>(), Trace<[Ending]>())
        let world = SeededExecutor(seed: 1)
        let store = try await makeStore(
            executor: world,
            WorkSaga { _, context in await context.finish(with: Errand()).finished() },
            ClosureSaga<Errand> { _, _ in
                await gate.pass()
                for receipt in receipts.entries { endings.note(await receipt.outcome().endings) }
            })
        await world.settle { receipts.note(await store.dispatch(Work())) }

        // By now, the finished run waits for the other one.
        await world.open(gate)
        try await store.idle()

        #expect(endings.entries == [[.cycle(waiting: "errand", on: "work")]])
    }
}
