import Testing

@testable import Relux

@Suite("StreamBuffer", .timeLimit(.minutes(10)))
struct StreamBufferTests {
    @Test("elements are delivered in order, including those buffered before the end")
    func order() async {
        let buffer = StreamBuffer<Int>()
        for number in 0..<100 { buffer.append(number) }
        buffer.finish()
        buffer.append(100)

        var taken: [Int] = []
        while let number = await buffer.next() { taken.append(number) }

        #expect(taken == Array(0..<100))
        #expect(await buffer.next() == nil)
    }

    @Test("the end resumes every waiter")
    func endReleases() async {
        for _ in 0..<100 {
            let buffer = StreamBuffer<Int>()
            let waiting = (0..<3).map { _ in Task { await buffer.next() } }

            buffer.finish()

            for one in waiting { #expect(await one.value == nil) }
        }
    }

    @Test("a task that is already cancelled takes no element, even if there is one")
    func cancelledFromTheStart() async {
        let buffer = StreamBuffer<Int>()
        buffer.append(7)

        let taken = await withTaskGroup(of: Int?.self) { group in
            group.cancelAll()
            group.addTask { await buffer.next() }
            return await group.next() ?? nil
        }

        #expect(taken == nil)
        #expect(await buffer.next() == 7)
    }

    @Test("a cancelled reader takes no element")
    func cancellationTakesNothing() async {
        for round in 0..<300 {
            let buffer = StreamBuffer<Int>()
            let cancelled = Task { await buffer.next() }
            let other = Task { await buffer.next() }

            async let appending: Void = buffer.append(round)
            cancelled.cancel()
            await appending
            let first = await cancelled.value
            if first != nil { buffer.finish() }

            #expect(await other.value == (first == nil ? round : nil))
        }
    }
}
