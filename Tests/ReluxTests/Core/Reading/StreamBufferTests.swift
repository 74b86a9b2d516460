import Testing

@testable import Relux

@Suite("StreamBuffer", .timeLimit(.minutes(10)))
struct StreamBufferTests {
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
}
