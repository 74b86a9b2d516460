import Relux
import Testing

@Suite("Law 9: the serial policy", .timeLimit(.minutes(10)))
struct SerialTests {
    @Test("a new trigger waits its turn, first in, first out")
    func firstInFirstOut() async throws {
        let jobs = try await JobStore(gated: ["0"])
        for number in 0..<20 { await jobs.dispatch("\(number)", .serial) }
        await jobs.arrival(of: "0")

        let logWhileBlocked = try await jobs.store.log()

        #expect(logWhileBlocked == ["0+"])
        #expect(try await jobs.finalLog() == (0..<20).flatMap { ["\($0)+", "\($0)-"] })
    }

    @Test("a performed run that waited for its turn returns when it has ended")
    func perform() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .serial)
        let performed = await jobs.performing("b", .serial)

        jobs.release("a")

        #expect(await performed.value == .returned)
        #expect(try await jobs.store.log() == ["a+", "a-", "b+", "b-"])
    }

    @Test("cancelling a queued run leaves the order of the others unchanged")
    func cancelledInTheQueue() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .serial)
        await jobs.arrival(of: "a")
        let b = await jobs.performing("b", .serial)
        await jobs.dispatch("c", .serial)

        b.cancel()

        #expect(await b.value == .cancelled)
        #expect(try await jobs.finalLog() == ["a+", "cleaned up b", "a-", "c+", "c-"])
    }

    @Test("triggers from many tasks never run at the same time, and none is lost")
    func neverTwo() async throws {
        let active = Trace<Int>()
        let store = try await Relux.Store {
            WorkSaga(policy: .serial) { _, context in
                active.note(1)
                await context.dispatch(Log.Action.add("x"))
                #expect(active.entries.reduce(0, +) == 1)
                active.note(-1)
            }.module()
        }

        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 { store.send(Work()) }
                }
            }
        }
        try await store.idle()

        #expect(try await store.log().count == 160)
    }
}
