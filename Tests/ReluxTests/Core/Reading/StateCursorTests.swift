import TestFixtures
import Testing

@testable import Relux

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

    @Test("an iterator that waits for an instance to be loaded isn't woken by others")
    func awaitedInstance() async throws {
        let (slow, quick) = (Gate(), Gate())
        let store = try await Relux.Store {
            Pages.Module { KeptPage(id: $0, on: Shelf(Log(), loads: $0 == "slow" ? slow : quick)) }
        }
        await store.dispatch(Pages.Action.open("slow"))
        await slow.arrivals()
        let cursor = StateCursor<Log>(
            .state(Log.self, at: Relux.CallSite()), for: store.scope(of: KeptPage.self, id: "slow").handle.caller)
        let pull = await store.handle.core.enter(as: .outside) { core, _ in core.pull(cursor) }
        guard case .wait(let signal) = pull else {
            Issue.record("It doesn't wait.")
            return
        }

        quick.open()
        await store.dispatch(Pages.Action.open("quick"))
        _ = try await store.scope(of: KeptPage.self, id: "quick").wait(until: Log.self) { _ in true }
        let isWokenEarly = signal.hasFired
        slow.open()
        await signal.wait()

        #expect(!isWokenEarly)
    }
}
