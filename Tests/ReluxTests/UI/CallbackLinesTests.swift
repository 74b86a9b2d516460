import Testing

@testable import Relux

@Suite("CallbackLines", .timeLimit(.minutes(10)))
struct CallbackLinesTests {
    @Test("calls of one line begin one at a time, in order")
    func order() {
        var lines = CallbackLines<String, Int>()

        let first = lines.enter(1, "a")
        let waiting = [lines.enter(2, "a"), lines.enter(3, "a")]
        let rest = (0..<3).map { _ in lines.advance("a") }

        #expect(first == 1)
        #expect(waiting == [nil, nil])
        #expect(rest == [2, 3, nil])
    }

    @Test("a line waits for no other")
    func separateLines() {
        var lines = CallbackLines<String, Int>()

        let first = [lines.enter(1, "a"), lines.enter(2, "b")]
        let waiting = lines.enter(3, "a")
        let next = [lines.advance("b"), lines.advance("a")]

        #expect(first == [1, 2])
        #expect(waiting == nil)
        #expect(next == [nil, 3])
    }

    @Test("a line is gone when its last call has begun, and begins again with the next")
    func idleLines() {
        var lines = CallbackLines<String, Int>()

        let before = lines.isIdle("a")
        _ = lines.enter(1, "a")
        _ = lines.enter(2, "a")
        let during = lines.isIdle("a")
        _ = lines.advance("a")
        let behind = lines.isIdle("a")
        _ = lines.advance("a")

        #expect((before, during, behind, lines.isIdle("a")) == (true, false, false, true))
        #expect(lines.enter(3, "a") == 3)
    }
}
