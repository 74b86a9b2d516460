import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Filtering while the user types.
@Suite(.timeLimit(.minutes(10))) struct FilterModuleTests {
    private func store(on clock: ManualClock) async throws -> Relux.Store {
        try await Relux.Store(Relux.StoreConfiguration(clock: clock)) {
            Items.Module(service: InMemoryItemsService(), source: .counting(), watchesElsewhere: false)
            Filter.Module(quietTime: .milliseconds(150))
        }
    }

    /// The typed text and the applied query.
    private func state(of store: Relux.Store) async throws -> (text: String, query: Items.Query) {
        (try await store.state(of: Filter.State.self).text, try await store.state(of: Items.State.self).filter)
    }

    @Test func `a text is applied once it has been unchanged for a moment`() async throws {
        let clock = ManualClock()
        let store = try await store(on: clock)

        await store.dispatch(Filter.Effect.narrow(to: "m"))
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .milliseconds(149))
        let last = await store.dispatch(Filter.Effect.narrow(to: "mi"))
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .milliseconds(149))
        let typing = try await state(of: store)
        await clock.advance(by: .milliseconds(1))
        await last.finished()
        let settled = try await state(of: store)

        #expect(typing == ("mi", Items.Query()))
        #expect(settled == ("mi", Items.Query("mi")))
    }

    @Test func `an empty text is applied immediately, and supersedes a pending one`() async throws {
        let clock = ManualClock()
        let store = try await store(on: clock)
        await store.dispatch(Items.State.Action.filtered("old"))

        await store.dispatch(Filter.Effect.narrow(to: "milk"))
        await clock.sleepers(atLeast: 1)
        await store.dispatch(Filter.Effect.narrow(to: " ")).finished()
        let emptied = try await state(of: store)
        await clock.advance(by: .seconds(1))
        try await store.idle()

        #expect(emptied.query.isEmpty && emptied.text == " ")
        #expect(try await state(of: store) == emptied)
    }

    @Test func `only a text with words waits for the quiet time`() {
        let narrower = Filter.Narrower(quietTime: .seconds(1))

        #expect(narrower.policy(for: .narrow(to: "x")) == .debounce(.seconds(1)))
        #expect(narrower.policy(for: .narrow(to: " \n")) == .latest)
    }
}
