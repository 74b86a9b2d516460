import Relux
import Testing

@Suite("Iterators of a state", .timeLimit(.minutes(10)))
struct StateCursorTests {
    @Test("an iterator that has ended stays ended, even if its state appears again")
    func ended() async throws {
        let log = Part<TagA>(states: [Log()])
        let store = try await Relux.Store { log }
        var logs = store.values(of: Log.self).makeAsyncIterator()
        #expect(await logs.next() != nil)

        await store.unregister(Part<TagA>.self)
        #expect(await logs.next() == nil)
        try await store.register(log)

        #expect(await logs.next() == nil)
    }
}
