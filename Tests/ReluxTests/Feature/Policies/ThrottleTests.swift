import Relux
import Testing

@Suite("Law 9: the throttle policy", .timeLimit(.minutes(10)))
struct ThrottleTests {
    private let policy = Relux.Policy.throttle(.seconds(2))
    private let notTrailing = Relux.Policy.throttle(.seconds(2), trailing: false)

    @Test("the first trigger runs immediately, then the last one of each window when that window ends")
    func windows() async throws {
        try await play(
            [
                .perform("a", policy), .end("a"), .perform("b", policy), .perform("c", policy),
                .pass(.milliseconds(1_999)), .log(["a+", "a-"]), .pass(.milliseconds(1)), .end("c"),
            ], endings: ["b": .superseded], log: ["a+", "a-", "c+", "c-"])
    }

    @Test("an interval of zero or less lets every trigger run", arguments: [Duration.zero, .seconds(-1)])
    func noInterval(interval: Duration) async throws {
        try await play(
            ["a", "b", "c"].flatMap { [.perform($0, .throttle(interval)), .end($0)] },
            log: ["a+", "a-", "b+", "b-", "c+", "c-"])
    }

    @Test("cancelling the caller of the pending run removes that run, and the window stays open")
    func cancellation() async throws {
        try await play(
            [
                .perform("a", policy), .end("a"), .perform("b", policy), .cancel("b"), .end("b"),
                .perform("c", policy), .log(["a+", "a-", "cleaned up b"]), .pass(.seconds(2)), .end("c"),
            ], endings: ["b": .cancelled], log: ["a+", "a-", "cleaned up b", "c+", "c-"])
    }

    @Test("a run that performs its own id awaits the end of the window, and both continue")
    func selfPerform() async throws {
        try await play(
            [.perform("outer", policy), .pass(.seconds(2)), .end("outer")], inner: policy,
            log: ["outer+", "inner+", "inner-", "outer-"])
    }

    @Test("without a trailing run, the triggers inside a window are dropped, and the first one after it runs")
    func withoutTrailing() async throws {
        try await play(
            [
                .perform("a", notTrailing), .end("a"), .perform("b", notTrailing), .end("b"),
                .pass(.seconds(2), sleepers: 0), .perform("c", notTrailing), .end("c"),
            ], endings: ["b": .dropped], log: ["a+", "a-", "c+", "c-"])
    }

    @Test("a trigger that is dropped inside a window leaves a pending run alone")
    func notTrailingMixed() async throws {
        try await play(
            [
                .perform("a", policy), .end("a"), .perform("b", policy), .perform("c", notTrailing), .end("c"),
                .pass(.seconds(2)), .end("b"),
            ], endings: ["c": .dropped])
    }
}
