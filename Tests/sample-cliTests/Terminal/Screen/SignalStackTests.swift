import Foundation
import Testing

@testable import sample_cli

@Suite(.timeLimit(.minutes(5))) struct SignalStackTests {
    @Test func `a thread has one once it was installed`() async {
        let (states, state) = AsyncStream.makeStream(of: Bool.self)

        Thread.detachNewThread {
            // A sanitizer has installed one for every thread.
            state.yield(SignalStack.isThere)
            SignalStack.provide()
            state.yield(SignalStack.isThere)
            SignalStack.provide()
            state.finish()
        }

        var all: [Bool] = []
        for await isThere in states { all.append(isThere) }
        #expect(all.count == 2 && all.last == true)
    }
}
