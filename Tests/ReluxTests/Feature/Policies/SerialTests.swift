import Relux
import Testing

@Suite("Law 9: the serial policy")
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

    @Test("a failure lets the next run start")
    func failure() async throws {
        let jobs = try await JobStore(gated: ["bad"]) { job, _ in if job.name == "bad" { throw TestFailure() } }
        let bad = await jobs.performing("bad", .serial)
        await jobs.dispatch("good", .serial)

        jobs.release("bad")

        #expect(await bad.value == .failed(TestFailure()))
        #expect(try await jobs.finalLog() == ["bad+", "good+", "good-"])
    }

    @Test("a cancelled run that ignores cancellation occupies its lane until it has ended, so two runs never overlap")
    func deafRunKeepsItsLane() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let first = await jobs.performing("a", .serial)
        await jobs.arrival(of: "a")
        await jobs.dispatch("b", .serial)

        first.cancel()
        await jobs.dispatch("c", .serial)
        let logWhileItIsDeaf = try await jobs.store.log()

        #expect(logWhileItIsDeaf == ["a+", "cleaned up a"])
        #expect(try await jobs.finalLog() == ["a+", "cleaned up a", "b+", "b-", "c+", "c-"])
        #expect(await first.value == .cancelled)
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

    @Test("lanes with different ids run concurrently")
    func ids() async throws {
        let jobs = try await JobStore(gated: ["a1", "b1"])
        await jobs.dispatch("a1", .serial(id: "a"))
        await jobs.dispatch("a2", .serial(id: "a"))
        await jobs.dispatch("b1", .serial(id: "b"))
        await jobs.dispatch("b2", .serial(id: "b"))
        await jobs.arrival(of: "a1")
        await jobs.arrival(of: "b1")

        jobs.release("b1")
        #expect(await jobs.perform("b3", .serial(id: "b")) == .returned)
        let log = try await jobs.store.log()

        #expect(log.filter { $0.hasPrefix("b") } == ["b1+", "b1-", "b2+", "b2-", "b3+", "b3-"])
        #expect(log.filter { $0.hasPrefix("a") } == ["a1+"])
        jobs.release("a1")
        try await jobs.store.idle()
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
