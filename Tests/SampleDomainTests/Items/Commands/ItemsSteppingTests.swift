import Foundation
import Relux
import SampleServices
import Testing

@testable import SampleDomain

/// Moving items among those that are displayed.
@Suite(.timeLimit(.minutes(10))) struct ItemsSteppingTests {
    private func items(_ titles: String...) -> [Item] {
        zip(1..., titles).map { .sample($0, title: $1) }
    }

    private func store(_ service: InMemoryItemsService) async throws -> Relux.Store {
        try await Relux.Store {
            Items.Module(service: service, source: .counting(), watchesElsewhere: false)
        }
    }

    private func store(_ items: [Item], query: String) async throws -> Relux.Store {
        let store = try await store(InMemoryItemsService(items))
        try await store.perform(Items.Effect.load)
        await store.dispatch(Items.State.Action.filtered(query))
        return store
    }

    private func titles(in store: Relux.Store) async throws -> [String] {
        try await store.state(of: Items.State.self).list.titles
    }

    @Test func `an item steps over the next one displayed, and over hidden ones in between`() async throws {
        let store = try await store(items("milk 1", "bread", "butter", "milk 2", "jam"), query: "milk")

        try await store.perform(Items.Command.step(.sample(1), .down))
        let down = try await titles(in: store)
        try await store.perform(Items.Command.step(.sample(1), .up))
        let up = try await titles(in: store)

        #expect(down == ["bread", "butter", "milk 2", "milk 1", "jam"])
        #expect(up == ["bread", "butter", "milk 1", "milk 2", "jam"])
    }

    @Test func `at the ends of what is displayed nothing happens`() async throws {
        let store = try await store(items("bread", "milk 1", "milk 2", "jam"), query: "milk")

        let up = try await store.perform(Items.Command.step(.sample(2), .up))
        let down = try await store.perform(Items.Command.step(.sample(3), .down))

        #expect(up == .changed([.sample(2, title: "milk 1")]) && down == .changed([.sample(3, title: "milk 2")]))
        #expect(try await titles(in: store) == ["bread", "milk 1", "milk 2", "jam"])
        #expect(try await !store.state(of: Items.State.self).canUndo)
    }

    @Test func `an item that can't be moved is rejected`() async throws {
        let done = Item.sample(1, completed: 1)
        let store = try await store([done], query: "")

        for (id, refusal) in [
            (Item.ID.sample(1), ItemsError.completed(done)), (.sample(2), .unknown(UUID.sample(2).hexadecimal)),
        ] {
            do throws(Relux.EffectError) {
                try await store.perform(Items.Command.step(id, .up))
                Issue.record("\(id) was not refused")
            } catch {
                guard case .failed(let thrown as ItemsError) = error else { throw error }
                #expect(thrown == refusal)
            }
        }
    }

    /// The position used to be computed on the list before it was read.
    @Test func `a list that hasn't been read yet is read first`() async throws {
        let store = try await store(InMemoryItemsService(items("1", "2", "3", "4")))

        try await store.perform(Items.Command.step(.sample(3), .down))

        #expect(try await titles(in: store) == ["1", "2", "4", "3"])
    }

    @Test func `a step is taken on the list as the previous commands have left it`() async throws {
        let gate = Gate()
        let service = InMemoryItemsService(
            items("1", "2", "3", "4", "5"), beforeLoad: { () throws(StorageError) in await gate.pass() })
        let store = try await store(service)

        await store.dispatch(Items.Command.delete([.id(.sample(1)), .id(.sample(4))]))
        await gate.arrivals()
        let step = await store.dispatch(Items.Command.step(.sample(3), .down))
        gate.open()
        await step.finished()

        #expect(try await titles(in: store) == ["2", "5", "3"])
    }
}
