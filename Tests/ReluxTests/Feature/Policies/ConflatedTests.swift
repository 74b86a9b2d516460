import Relux
import Testing

@Suite("Law 9: the conflated policy", .timeLimit(.minutes(10)))
struct ConflatedTests {
    @Test("of the triggers that wait for the active run, only the newest starts; the others are superseded")
    func newest() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let a = await jobs.performing("a", .conflated)
        let b = await jobs.performing("b", .conflated)
        let c = await jobs.performing("c", .conflated)
        let early = await b.value

        jobs.release("a")

        #expect(early == .superseded)
        #expect(await [a.value, c.value] == [.returned, .returned])
        #expect(try await jobs.finalLog() == ["a+", "a-", "c+", "c-"])
    }

    @Test("it supersedes waiting and pending triggers of other policies, but not the active run")
    func mixed() async throws {
        let jobs = try await JobStore(gated: ["active"])
        let active = await jobs.performing("active", .latest)
        let queued = await jobs.performing("queued", .serial)
        let pending = await jobs.performing("pending", .debounce(.seconds(1)))
        let conflated = await jobs.performing("conflated", .conflated)
        await jobs.arrival(of: "active")

        jobs.release("active")

        #expect(await [queued.value, pending.value] == [.superseded, .superseded])
        #expect(await [active.value, conflated.value] == [.returned, .returned])
    }
}
