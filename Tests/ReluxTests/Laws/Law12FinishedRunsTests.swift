import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Each of these tests would hang without the law.
@Suite("Law 12: no hidden deadlock of finished runs", .timeLimit(.minutes(10)))
struct Law12FinishedRunsTests {
    @Test("a finished run that waits for the store to become idle gets an error: its task would wait for itself")
    func idleness() async throws {
        let (link, reasons) = (StoreLink(), Trace<Relux.NotIdle.Reason?>())
        let store = try await Relux.Store {
            WorkSaga { _, context in
                await context.finish(with: Log.Action.add("finished"))
                do {
                    try await link.store?.idle()
                    reasons.note(nil)
                } catch let error as Relux.NotIdle {
                    reasons.note(error.reason)
                }
            }.module()
        }
        link.connect(to: store)

        try await store.perform(Work())

        let isCycle = reasons.entries.map { if case .calledFromRun? = $0 { true } else { false } }
        #expect(isCycle == [true])
    }

    @Test(
        "a finished run can wait for a later run of its lane, which doesn't wait for it",
        arguments: [Relux.Policy.serial, .leading, .shared, .latest, .conflated, .concurrent(limit: 1)])
    func ownLane(policy: Relux.Policy) async throws {
        let store = try await Relux.Store {
            ClosureSaga<Job>(policy: \.policy) { job, context in
                if job.name == "outer" {
                    await context.finish(with: Job("inner", policy)).finished()
                    #expect(await Ending.of { try await context.perform(Job("late", policy)) } == .cancelled)
                } else {
                    await context.finish(with: Log.Action.add(job.name))
                }
            }.alone
        }

        try await store.perform(Job("outer", policy))

        #expect(try await store.log() == ["inner"])
    }

    @Test("a run that waits for a finished one that waits for it gets an error")
    func eachOther() async throws {
        let (receipts, endings) = (Trace<Relux.Dispatched>(), Trace<[Ending]>())
        let (world, gate) = (SeededExecutor(seed: 1), Gate())
        let store = try await Relux.Store(.init(executor: world)) {
            WorkSaga { _, context in
                await context.finish(with: Errand()).finished()
            }.module(
                ClosureSaga<Errand> { _, context in
                    await gate.pass()
                    for receipt in receipts.entries { endings.note(await receipt.outcome().endings) }
                })
        }
        await world.settle { receipts.note(await store.dispatch(Work())) }

        // By now, the finished run waits for the other one.
        gate.open()
        await world.rest()
        try await store.idle()

        #expect(endings.entries == [[.cycle(waiting: "errand", on: "work")]])
    }
}
