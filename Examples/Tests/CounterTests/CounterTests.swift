import Relux
import ReluxTesting
import Testing

@testable import Counter

@Suite("Counter", .timeLimit(.minutes(1)))
struct CounterTests {
    @Test("a reducer is tested as the function that it is")
    func reducer() {
        var state = Counter.State(count: 2)

        state.reduce(.decremented)

        #expect(state.count == 1)
    }

    @Test("the store counts up and down")
    func store() async throws {
        let store = try await TestStore { Counter.Module() }

        await store.dispatch(.incremented, to: Counter.State.self) { $0.count = 1 }
        await store.dispatch(.decremented, to: Counter.State.self) { $0.count = 0 }
        await store.dispatch(.decremented, to: Counter.State.self)

        await store.finish()
    }

    @Test("the count is never negative, whatever happens")
    func everyState() {
        StateSpace.explore(
            from: Counter.State(), actions: [.incremented, .decremented, .cleared], depth: 6
        ) { state in
            state.count >= 0
        }
    }

    @Test("a reader gets the current count, and then the later ones")
    func values() async throws {
        let store = try await Relux.Store { Counter.Module() }
        var counts = store.values(of: Counter.State.self, \.count).makeAsyncIterator()

        #expect(await counts.next() == 0)
        await store.dispatch(Counter.State.Action.incremented)
        #expect(await counts.next() == 1)
    }
}
