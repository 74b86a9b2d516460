import Relux
import ReluxTesting
import Testing

@Suite("Law 9: the debounce policy", .timeLimit(.minutes(10)))
struct DebounceTests {
    private let policy = Relux.Policy.debounce(.seconds(2))

    @Test("active runs are superseded unless the policy says otherwise, with and without an id")
    func defaults() {
        #expect(Relux.Policy.debounce(.seconds(1)) == .debounce(.seconds(1), keepingActive: false))
        #expect(Relux.Policy.debounce(.seconds(1), id: 1) == .debounce(.seconds(1), keepingActive: false, id: 1))
        #expect(Relux.Policy.debounce(.seconds(1), id: 1) != .debounce(.seconds(1), keepingActive: true, id: 1))
    }

    @Test("a run starts once the delay has passed without another trigger")
    func startsAfterTheQuietTime() async throws {
        try await play(
            [
                .perform("a", policy), .pass(.milliseconds(1_999)), .log([]), .pass(.milliseconds(1)), .end("a"),
            ], log: ["a+", "a-"])
    }

    @Test("each new trigger supersedes the pending run and restarts the delay")
    func supersedesThePending() async throws {
        // Before the last second, the last trigger was dispatched one second ago, the first one three seconds ago.
        try await play(
            ["a", "b", "c"].flatMap { [.perform($0, policy), .pass(.seconds(1))] }
                + [.log([]), .pass(.seconds(1)), .end("c")],
            endings: ["a": .superseded, "b": .superseded], log: ["c+", "c-"])
    }

    @Test("a run that is still active is superseded when the next one starts, and not before")
    func supersedesTheActive() async throws {
        try await play(
            [
                .perform("old", policy), .pass(.seconds(2)), .arrive("old"), .perform("new", policy),
                .pass(.seconds(1)), .nothingEnded, .pass(.seconds(1)), .end("new"),
            ], endings: ["old": .superseded], log: ["old+", "new+", "new-"])
    }

    @Test("an active run of the same batch is superseded like any other")
    func supersedesInABatch() async throws {
        let jobs = try await JobStore(gated: ["active"])
        await jobs.store.dispatch {
            Job("active", .serial)
            Job("pending", policy)
        }
        await jobs.arrival(of: "active")

        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)

        #expect(Set(try await jobs.finalLog()) == ["active+", "pending+", "pending-"])
    }

    @Test("a delay of zero or less means immediately", arguments: [Duration.zero, .seconds(-1)])
    func noTime(delay: Duration) async throws {
        // The clock is never advanced, so this would hang if it waited.
        try await play([.perform("a", .debounce(delay)), .end("a")], log: ["a+", "a-"])
    }

    @Test("cancelling the caller removes the pending run and doesn't affect a later one")
    func cancellation() async throws {
        try await play(
            [
                .perform("first", policy), .pass(.zero), .cancel("first"), .end("first"), .perform("second", policy),
                .pass(.seconds(2)), .end("second"),
            ], endings: ["first": .cancelled], log: ["cleaned up first", "second+", "second-"])
    }

    @Test("finished waits for a pending run, and for a superseded one only until it is superseded")
    func finished() async throws {
        let jobs = try await JobStore()
        let first = await jobs.dispatch("first", policy)
        let second = await jobs.dispatch("second", policy)

        // This would hang if it waited for the second run.
        await first.finished()
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)
        await second.finished()

        #expect(try await jobs.store.log() == ["second+", "second-"])
    }

    @Test("a run that performs its own id is superseded when its child starts, and the child continues")
    func selfPerform() async throws {
        try await play(
            [
                .perform("outer", policy), .pass(.seconds(2)), .pass(.seconds(2)), .arrive("inner"), .nothingEnded,
                .release("inner"), .end("outer"),
            ], inner: policy, endings: ["outer": .superseded], log: ["outer+", "inner+", "inner-"])
    }

    @Test("keeping active runs, it supersedes only pending triggers")
    func keepingActive() async throws {
        let policy = Relux.Policy.debounce(.seconds(1), keepingActive: true)
        try await play(
            [
                .perform("a", policy), .pass(.seconds(1)), .arrive("a"), .perform("b", policy), .perform("c", policy),
                .end("b"), .pass(.seconds(1)), .end("c"),
            ], endings: ["b": .superseded], log: ["a+", "c+", "c-", "a-"])
    }
}
