import Relux
import TestFixtures
import Testing

@Suite("Reactions and broadcasts", .timeLimit(.minutes(10)))
struct ReactionTests: Staged {
    let scene = Scene()
    private struct WillSignOut: Relux.Broadcast, Hashable {}

    @Test("a reaction has the policy that it was created with, and each has its own lanes")
    func policy() async throws {
        let store = try await makeStore(
            Relux.Reaction(to: Work.self, policy: .leading) { [gate] _, _ in await gate.pass() },
            Relux.Reaction(to: Work.self, policy: .leading(id: 1)) { [gate] _, _ in await gate.pass() })
        await store.dispatch(Work())
        await gate.arrivals(atLeast: 2)

        let outcome = await store.dispatch(Work()).outcome()

        #expect(outcome.endings == [.cancelled])
        gate.open()
        try await store.idle()
    }

    @Test("a broadcast that nothing handles is numbered and not reported, whichever verb is used")
    func broadcast() async throws {
        let store = try await makeStore(observers: [observer])

        let receipt = await store.dispatch(WillSignOut())
        store.send(WillSignOut())
        let result = await store.actions { WillSignOut() }
        await store.dispatch {
            WillSignOut()
            WillSignOut()
        }

        #expect(receipt.sequence == 1)
        #expect(await receipt.outcome().endings == [.returned])
        #expect(result.endings == [.returned])
        #expect(observer.records.entries.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a broadcast reaches the sagas and streams that take it")
    func delivered() async throws {
        let store = try await makeStore(
            Relux.Reaction(to: WillSignOut.self) { _, context in await context.dispatch(Log.Action.add("saved")) })
        let stream = store.actionStream(of: WillSignOut.self)

        await store.actions { WillSignOut() }

        #expect(await stream.first { _ in true } == WillSignOut())
        #expect(try await store.log() == ["saved"])
    }
}
