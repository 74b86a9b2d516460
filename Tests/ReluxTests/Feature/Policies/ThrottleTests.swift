import Relux
import ReluxTesting
import Testing

@Suite("Law 9: the throttle policy", .timeLimit(.minutes(10)))
struct ThrottleTests {
    private static let policy = Relux.Policy.throttle(.seconds(2))

    @Test("the first trigger runs immediately, then the last one of each window when that window ends")
    func windows() async throws {
        let jobs = try await JobStore()

        let first = await jobs.perform("a", Self.policy)
        let b = await jobs.performing("b", Self.policy)
        let c = await jobs.performing("c", Self.policy)
        await jobs.clock.advance(by: .milliseconds(1_999), pastSleepers: 1)
        let logBefore = try await jobs.store.log()
        await jobs.clock.advance(by: .milliseconds(1))
        let endings = await [b.value, c.value]

        #expect(first == .returned)
        #expect(logBefore == ["a+", "a-"])
        #expect(endings == [.superseded, .returned])
        #expect(try await jobs.store.log() == ["a+", "a-", "c+", "c-"])
    }

    @Test("an interval of zero or less lets every trigger run", arguments: [Duration.zero, .seconds(-1)])
    func noInterval(interval: Duration) async throws {
        let jobs = try await JobStore()

        for name in ["a", "b", "c"] { #expect(await jobs.perform(name, .throttle(interval)) == .returned) }

        #expect(try await jobs.finalLog() == ["a+", "a-", "b+", "b-", "c+", "c-"])
    }

    @Test("cancelling the caller of the pending run removes that run, and the window stays open")
    func cancellation() async throws {
        let jobs = try await JobStore()
        await jobs.dispatch("a", Self.policy)
        let b = await jobs.performing("b", Self.policy)

        b.cancel()
        let ending = await b.value
        let c = await jobs.performing("c", Self.policy)
        let logInTheWindow = try await jobs.store.log()
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)

        #expect(ending == .cancelled)
        #expect(!logInTheWindow.contains("c+"))
        #expect(await c.value == .returned)
        #expect(try await !jobs.finalLog().contains("b+"))
    }

    @Test("a run that performs its own id awaits the end of the window, and both continue")
    func selfPerform() async throws {
        let jobs = try await JobStore { job, context in
            if job.name == "outer" { try await context.perform(Job("inner", Self.policy)) }
        }

        let outer = await jobs.performing("outer", Self.policy)
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)

        #expect(await outer.value == .returned)
        #expect(try await jobs.finalLog() == ["outer+", "inner+", "inner-", "outer-"])
    }

    @Test("without a trailing run, the triggers inside a window are dropped, and the first one after it runs")
    func notTrailing() async throws {
        let jobs = try await JobStore()
        let policy = Relux.Policy.throttle(.seconds(2), trailing: false)

        let first = await jobs.perform("a", policy)
        let inside = await jobs.perform("b", policy)
        await jobs.clock.advance(by: .seconds(2))
        let after = await jobs.perform("c", policy)

        #expect([first, inside, after] == [.returned, .dropped, .returned])
        #expect(try await jobs.finalLog() == ["a+", "a-", "c+", "c-"])
    }

    @Test("a trigger that is dropped inside a window leaves a pending run alone")
    func notTrailingMixed() async throws {
        let jobs = try await JobStore()
        _ = await jobs.perform("a", Self.policy)
        let pending = await jobs.performing("b", Self.policy)

        let dropped = await jobs.perform("c", .throttle(.seconds(2), trailing: false))
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)

        #expect(dropped == .dropped)
        #expect(await pending.value == .returned)
    }
}
