import Relux
import ReluxTesting
import Testing

@testable import Cookbook

@Suite("Analytics", .timeLimit(.minutes(1)))
struct AnalyticsTests {
    @Test("tracked actions and unreceived failures are events, in the order of the store")
    func events() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let store = try await Relux.Store(.init(observers: [Analytics(continuation)])) { Basket.Module() }

        await store.dispatch(Basket.State.Action.added("tea"))
        await store.dispatch(Basket.Order()).finished()

        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "added to basket")
        #expect(await iterator.next()?.hasPrefix("failure: ") == true)
    }
}
