import Relux
import Testing

@Suite("Law 9: the conflated policy", .timeLimit(.minutes(10)))
struct ConflatedTests {
    @Test("of the triggers that wait for the active run, only the newest starts; the others are superseded")
    func newest() async throws {
        try await play(
            [.begin("a", .conflated), .perform("b", .conflated), .perform("c", .conflated), .end("b")],
            endings: ["b": .superseded], log: ["a+", "a-", "c+", "c-"])
    }

    @Test("it supersedes waiting and pending triggers of other policies, but not the active run")
    func mixed() async throws {
        try await play(
            [
                .begin("active", .latest), .perform("queued", .serial), .perform("pending", .debounce(.seconds(1))),
                .perform("conflated", .conflated),
            ], endings: ["queued": .superseded, "pending": .superseded])
    }
}
