import ReluxTesting
import Testing

@testable import Relux

@Suite("A send in progress", .timeLimit(.minutes(10)))
struct SendInProgressTests {
    @Test("a send in progress keeps the store busy until it has been reduced, whatever happens meanwhile")
    func sendUnderWay() async throws {
        let world = SeededExecutor(seed: 9)
        let trace = Trace<String>()
        let store = Relux.Store(.init(executor: world))
        try await store.register(Part<TagA>.counting())
        let slot = store.handle.core.mailbox.claim()

        let idle = await world.settle {
            try await store.idle()
            trace.note("idle")
        }
        await world.settle { await store.dispatch(Counter<TagA>.Add()) }
        let before = trace.entries
        slot.fill(
            Mailbox.Mail(action: Counter<TagA>.Add(), origin: .outside, site: Relux.CallSite())
        )
        await world.settle { store.handle.core.post { _ in } }
        try await idle.value

        #expect(before == [])
        #expect(trace.entries == ["idle"])
        #expect(await store.dispatch(Counter<TagA>.Add()).sequence == 3)
    }
}
