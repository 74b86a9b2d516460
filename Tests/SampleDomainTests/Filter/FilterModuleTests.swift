import Foundation
import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Filtering while somebody types, and moving what is seen.
@Suite(.timeLimit(.minutes(10))) struct FilterModuleTests {
    private func store(on clock: ManualClock) async throws -> Relux.Store {
        try await Relux.Store(Relux.StoreConfiguration(clock: clock)) {
            Items.Module(service: InMemoryItemsService(), source: .counting(), watchesElsewhere: false)
            Filter.Module(quietTime: .milliseconds(150))
        }
    }

    /// What was typed, and what counts.
    private func state(of store: Relux.Store) async throws -> (text: String, query: Items.Query) {
        (try await store.state(of: Filter.State.self).text, try await store.state(of: Items.State.self).filter)
    }

    @Test func `a text counts once nothing else was typed for a moment`() async throws {
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

    @Test func `an empty text counts at once, and what was settling never does`() async throws {
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

    @Test func `only a text with words waits, for the quiet time`() {
        let narrower = Filter.Narrower(quietTime: .seconds(1))

        #expect(narrower.policy(for: .narrow(to: "x")) == .debounce(.seconds(1)))
        #expect(narrower.policy(for: .narrow(to: " \n")) == .latest)
    }

    private func items(_ titles: String...) -> [Item] {
        zip(1..., titles).map { .sample($0, title: $1) }
    }

    private func store(_ items: [Item], query: String) async throws -> Relux.Store {
        let store = try await Relux.Store {
            Items.Module(service: InMemoryItemsService(items: items), source: .counting(), watchesElsewhere: false)
            Filter.Module()
        }
        try await store.perform(Items.Effect.load)
        await store.dispatch(Items.State.Action.filtered(query))
        return store
    }

    private func titles(in store: Relux.Store) async throws -> [String] {
        try await store.state(of: Items.State.self).list.titles
    }

    @Test func `an item steps over the next one that is seen, and over what is hidden between`() async throws {
        let store = try await store(items("milk 1", "bread", "butter", "milk 2", "jam"), query: "milk")

        try await store.perform(Filter.Step.down(.sample(1)))
        let down = try await titles(in: store)
        try await store.perform(Filter.Step.up(.sample(1)))
        let up = try await titles(in: store)

        #expect(down == ["bread", "butter", "milk 2", "milk 1", "jam"])
        #expect(up == ["bread", "butter", "milk 1", "milk 2", "jam"])
    }

    @Test func `at the ends of what is seen nothing happens`() async throws {
        let store = try await store(items("bread", "milk 1", "milk 2", "jam"), query: "milk")

        try await store.perform(Filter.Step.up(.sample(2)))
        try await store.perform(Filter.Step.down(.sample(3)))

        #expect(try await titles(in: store) == ["bread", "milk 1", "milk 2", "jam"])
        #expect(try await !store.state(of: Items.State.self).canUndo)
    }

    @Test func `what can't be moved is refused as the list refuses it`() async throws {
        let done = Item.sample(1, completed: 1)
        let store = try await store([done], query: "")

        for (step, refusal) in [
            (Filter.Step.up(.sample(1)), ItemsError.completed(done)),
            (.down(.sample(2)), .unknown(UUID.sample(2).hexadecimal)),
        ] {
            do throws(Relux.EffectError) {
                try await store.perform(step)
                Issue.record("\(step) was not refused")
            } catch {
                guard case .failed(let thrown as ItemsError) = error else { throw error }
                #expect(thrown == refusal)
            }
        }
    }
}
