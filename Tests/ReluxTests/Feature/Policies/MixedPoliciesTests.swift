import Relux
import ReluxTesting
import Testing

@Suite("Law 9: different policies that share an id", .timeLimit(.minutes(10)))
struct MixedPoliciesTests {
    @Test("latest supersedes active, queued, and pending runs, whatever their policies")
    func latest() async throws {
        let jobs = try await JobStore(gated: ["active"])
        let active = await jobs.performing("active", .serial)
        let queued = await jobs.performing("queued", .serial)
        let pending = await jobs.performing("pending", .debounce(.seconds(1)))
        await jobs.arrival(of: "active")

        let latest = await jobs.perform("latest", .latest)
        jobs.release("active")

        #expect(latest == .returned)
        #expect(await [active.value, queued.value, pending.value] == [.superseded, .superseded, .superseded])
        #expect(try await jobs.finalLog() == ["active+", "latest+", "latest-"])
    }

    @Test("leading runs while another run is only pending, and that run keeps its deadline")
    func leadingBesideAPendingOne() async throws {
        let jobs = try await JobStore()
        let pending = await jobs.performing("pending", .debounce(.seconds(1)))

        let leading = await jobs.perform("leading", .leading)
        await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)

        #expect(leading == .returned)
        #expect(await pending.value == .returned)
    }

    @Test("serial waits for every active run, and for a superseded one that ignores cancellation")
    func serial() async throws {
        let jobs = try await JobStore(gated: ["old", "new"])
        await jobs.dispatch("old", .latest)
        await jobs.arrival(of: "old")
        let new = await jobs.performing("new", .latest)
        await jobs.arrival(of: "new")
        let serial = await jobs.performing("serial", .serial)

        jobs.release("new")
        _ = await new.value
        let logWhileTheOldOneIsDeaf = try await jobs.store.log()
        jobs.release("old")

        #expect(!logWhileTheOldOneIsDeaf.contains("serial+"))
        #expect(await serial.value == .returned)
    }

    @Test("a trigger whose own limit has room doesn't overtake those that wait")
    func queue() async throws {
        let jobs = try await JobStore(gated: ["active"])
        let active = await jobs.performing("active", .serial)
        await jobs.arrival(of: "active")
        let first = await jobs.performing("first", .serial)
        let second = await jobs.performing("second", .concurrent(limit: 2))

        let logMeanwhile = try await jobs.store.log()
        jobs.release("active")

        #expect(logMeanwhile == ["active+"])
        #expect(await [active.value, first.value, second.value] == [.returned, .returned, .returned])
        let log = try await jobs.finalLog()
        #expect(log.firstIndex(of: "first+") ?? .max < log.firstIndex(of: "second+") ?? .min)
    }

    @Test("debounce supersedes the active run of another policy when it starts")
    func debounce() async throws {
        let jobs = try await JobStore(gated: ["active"])
        let active = await jobs.performing("active", .leading)
        await jobs.arrival(of: "active")
        let queued = await jobs.performing("queued", .serial)

        let debounced = await jobs.performing("debounced", .debounce(.seconds(1)))
        await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)
        let ending = await debounced.value
        jobs.release("active")

        #expect(ending == .returned)
        #expect(await [active.value, queued.value] == [.superseded, .superseded])
    }

    @Test("throttle doesn't affect the active run of another policy, and supersedes a pending one")
    func throttle() async throws {
        let jobs = try await JobStore(gated: ["active"])
        let active = await jobs.performing("active", .latest)
        await jobs.arrival(of: "active")
        let pending = await jobs.performing("pending", .debounce(.seconds(1)))

        let throttled = await jobs.perform("throttled", .throttle(.seconds(1)))
        jobs.release("active")

        #expect(throttled == .returned)
        #expect(await pending.value == .superseded)
        #expect(await active.value == .returned)
    }

    @Test("concurrent runs don't belong to the lane without an id")
    func concurrent() async throws {
        let jobs = try await JobStore(gated: ["concurrent"])
        let concurrent = await jobs.performing("concurrent", .concurrent)
        await jobs.arrival(of: "concurrent")

        #expect(await jobs.perform("leading", .leading) == .returned)
        #expect(await jobs.perform("latest", .latest) == .returned)
        #expect(await jobs.perform("serial", .serial) == .returned)
        jobs.release("concurrent")
        #expect(await concurrent.value == .returned)
    }

    @Test("a latest run that performs its own id with serial gets an error, because its child would wait for it")
    func latestThenSerial() async throws {
        let jobs = try await JobStore { job, context in
            guard job.name == "outer" else { return }
            let ending = await Ending.of { try await context.perform(Job("inner", .serial)) }
            #expect(ending == .cycle(waiting: "outer", on: "inner"))
        }

        #expect(await jobs.perform("outer", .latest) == .returned)
    }

    @Test("a serial run that performs its own id with latest is superseded by its child, which continues")
    func serialThenLatest() async throws {
        let jobs = try await JobStore { job, context in
            if job.name == "outer" { try await context.perform(Job("inner", .latest)) }
        }

        #expect(await jobs.perform("outer", .serial) == .superseded)
        #expect(try await jobs.finalLog() == ["outer+", "inner+", "inner-"])
    }
}
