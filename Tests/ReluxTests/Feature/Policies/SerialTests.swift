import Relux
import Testing

@Suite("Law 9: the serial policy", .timeLimit(.minutes(10)))
struct SerialTests {
    @Test("a new trigger waits its turn, first in, first out")
    func firstInFirstOut() async throws {
        try await play(
            [.begin("0", .serial)] + (1..<20).map { .dispatch("\($0)", .serial) } + [.log(["0+"])],
            log: (0..<20).flatMap { ["\($0)+", "\($0)-"] })
    }

    @Test("cancelling a queued run leaves the order of the others unchanged")
    func cancelledInTheQueue() async throws {
        try await play(
            [.begin("a", .serial), .perform("b", .serial), .dispatch("c", .serial), .cancel("b"), .end("b")],
            endings: ["b": .cancelled], log: ["a+", "cleaned up b", "a-", "c+", "c-"])
    }
}
