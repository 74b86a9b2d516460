import Foundation
import Testing

@testable import sample_cli

@Suite(.timeLimit(.minutes(5))) struct NewestValueTests {
    @Test func `a slow reader gets the newest value, and none of the others is kept`() {
        final class Mark: Sendable {}
        let newest = NewestValue<Mark>()
        let first = Mark()
        weak var second: Mark?

        newest.put(first)
        do {
            let mark = Mark()
            second = mark
            newest.put(mark)
        }
        let last = Mark()
        newest.put(last)

        #expect(second == nil)
        #expect(newest.take() === last)
    }

    @Test func `an early reader waits for a value`() async {
        let newest = NewestValue<Int>()
        let (taken, take) = AsyncStream.makeStream(of: Int.self)
        Thread.detachNewThread {
            for _ in 1...2 {
                take.yield(newest.take())
                newest.put(7)
            }
        }

        newest.put(3)

        var numbers: [Int] = []
        for await number in taken.prefix(2) { numbers.append(number) }
        #expect(numbers == [3, 7])
    }
}
