import Relux
import Testing

@Suite("Law 9: different policies that share an id", .timeLimit(.minutes(10)))
struct MixedPoliciesTests {
    private let delay = Duration.seconds(1)

    @Test("latest supersedes active, queued, and pending runs, whatever their policies")
    func latest() async throws {
        try await play(
            [
                .begin("active", .serial), .perform("queued", .serial), .perform("pending", .debounce(delay)),
                .perform("latest", .latest), .end("latest"),
            ], endings: ["active": .superseded, "queued": .superseded, "pending": .superseded],
            log: ["active+", "latest+", "latest-"])
    }

    @Test("leading runs while another run is only pending, and that run keeps its deadline")
    func leadingBesideAPendingOne() async throws {
        try await play([
            .perform("pending", .debounce(delay)), .perform("leading", .leading), .end("leading"), .pass(delay),
            .end("pending"),
        ])
    }

    @Test("serial waits for every active run, and for a superseded one that ignores cancellation")
    func serial() async throws {
        try await play(
            [
                .begin("old", .latest), .begin("new", .latest), .perform("serial", .serial), .release("new"),
                .end("new"), .log(["old+", "new+", "new-"]), .release("old"), .end("serial"),
            ], endings: ["old": .superseded])
    }

    @Test("debounce supersedes the active run of another policy when it starts")
    func debounce() async throws {
        try await play(
            [
                .begin("active", .leading), .perform("queued", .serial), .perform("debounced", .debounce(delay)),
                .pass(delay), .end("debounced"),
            ], endings: ["active": .superseded, "queued": .superseded])
    }

    @Test("throttle doesn't affect the active run of another policy, and supersedes a pending one")
    func throttle() async throws {
        try await play(
            [
                .begin("active", .latest), .perform("pending", .debounce(delay)),
                .perform("throttled", .throttle(delay)), .end("throttled"),
            ], endings: ["pending": .superseded])
    }

    @Test("concurrent runs don't belong to the lane without an id")
    func concurrent() async throws {
        try await play([
            .begin("concurrent", .concurrent), .perform("leading", .leading), .end("leading"),
            .perform("latest", .latest), .end("latest"), .perform("serial", .serial), .end("serial"),
        ])
    }

    @Test("a latest run that performs its own id with serial gets an error, because its child would wait for it")
    func latestThenSerial() async throws {
        try await play(
            [.perform("outer", .latest)], inner: .serial,
            endings: ["outer": .cycle(waiting: "outer", on: "inner")], log: ["outer+", "cleaned up inner"])
    }

    @Test("a serial run that performs its own id with latest is superseded by its child, which continues")
    func serialThenLatest() async throws {
        try await play(
            [.perform("outer", .serial)], inner: .latest, endings: ["outer": .superseded],
            log: ["outer+", "inner+", "inner-"])
    }
}
