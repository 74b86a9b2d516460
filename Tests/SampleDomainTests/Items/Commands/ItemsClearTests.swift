import Relux
import SampleServices
import Testing

@testable import SampleDomain

/// Deleting all completed items, and all items.
@Suite(.timeLimit(.minutes(10))) struct ItemsClearTests {
    private static let items: [Item] = [.sample(1), .sample(2, completed: 1), .sample(3, completed: 2)]

    private func store(_ service: InMemoryItemsService) async throws -> Relux.Store {
        try await Relux.Store {
            Items.Module(service: service, source: .counting(), watchesElsewhere: false)
        }
    }

    @Test(
        arguments: [
            (.clearAsked(items), ["Item 2", "Item 3"], ["Item 1"]),
            (.deleteAsked(items), ["Item 1", "Item 2", "Item 3"], []),
        ] as [(Items.Command, [String], [String])])
    func `it deletes what it says, saves that, and one undo restores it`(
        command: Items.Command, gone: [String], left: [String]
    ) async throws {
        let service = InMemoryItemsService(Self.items)
        let store = try await store(service)

        let outcome = try await store.perform(command)
        try await store.idle()
        let stored = await Items.List(service.snapshot.items).titles
        try await store.perform(Items.Command.undo)
        try await store.idle()

        guard case .deleted(let deleted) = outcome else { throw try #require(nil as ItemsError?) }
        #expect(deleted.map(\.title) == gone)
        #expect(stored == left)
        #expect(await service.saves.map(\.count) == [gone.count, gone.count])
        #expect(await Items.List(service.snapshot.items).titles == Items.List(Self.items).titles)
        #expect(try await !store.state(of: Items.State.self).canUndo)
    }

    @Test func `if there is nothing to delete, nothing happens and there is nothing to undo`() async throws {
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service)

        let outcome = try await store.perform(Items.Command.clearAsked([.sample(1)]))
        try await store.idle()

        #expect(outcome == .deleted([]))
        #expect(await service.saves.isEmpty)
        #expect(try await !store.state(of: Items.State.self).canUndo)
    }

    /// A question about four items used to delete five, if another one arrived before the answer.
    @Test(
        arguments: [
            (.deleteAsked([]), ["Item 1", "Item 4", "Item 3", "Item 2"]),
            (.deleteAsked([.sample(1), .sample(2), .sample(3), .sample(9)]), ["Item 4"]),
            (.clearAsked([.sample(1), .sample(2), .sample(3), .sample(9)]), ["Item 1", "Item 4"]),
        ] as [(Items.Command, [String])])
    func `only items that the question was about and that still exist are deleted`(
        command: Items.Command, left: [String]
    ) async throws {
        let service = InMemoryItemsService(Self.items + [.sample(4)])
        let store = try await store(service)

        try await store.perform(command)
        try await store.idle()

        #expect(await Items.List(service.snapshot.items).titles == left)
    }

    @Test func `an item that was completed at the time of the question, and isn't now, is kept`() async throws {
        let service = InMemoryItemsService([.sample(1), .sample(3, completed: 2)])
        let store = try await store(service)

        let outcome = try await store.perform(
            Items.Command.clearAsked([.sample(1, completed: 1), .sample(3, completed: 2)]))
        try await store.idle()

        #expect(outcome == .deleted([.sample(3, completed: 2)]))
        #expect(await service.snapshot.items.map(\.title) == ["Item 1"])
    }

    @Test func `an item with the same id on another profile's list was not part of the question`() async throws {
        let mine = Item(id: .sample(1), title: "Welcome", order: 1, created: .sample(5), updated: .sample(5))
        let store = try await store(InMemoryItemsService(Self.items))

        #expect(try await store.perform(Items.Command.deleteAsked([mine])) == .deleted([]))
    }

    /// Each of these operations used to be quadratic in the number of items: minutes, up to the time limit.
    @Test func `a hundred thousand items are completed, cleared, and restored`() async throws {
        // Fewer, because the thread sanitizer slows everything down.
        #if RELUX_TSAN
            let count = 10_000
        #else
            let count = 100_000
        #endif
        let service = InMemoryItemsService((0..<count).map { .sample($0) })
        let store = try await store(service)

        try await store.perform(Items.Command.complete((0..<count).map { .id(.sample($0)) }))
        let completed = try await store.state(of: Items.State.self).list.completed
        try await store.perform(Items.Command.clearAsked(completed))
        let cleared = try await store.state(of: Items.State.self).list.count
        try await store.perform(Items.Command.undo)
        try await store.perform(Items.Command.undo)
        try await store.idle()

        #expect(cleared == 0)
        #expect(try await store.state(of: Items.State.self).list.active.count == count)
        #expect(await service.snapshot.items.allSatisfy(\.isActive))
    }
}
