import Relux
import ReluxPersistence
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// What a command line asks for, and the answers that it gets.
@Suite(.timeLimit(.minutes(10))) struct ItemsEditTests {
    private let list = Items.List.of("a", "b", "c").after(.completed([.sample(3)], noon))

    private func store() async throws -> TestStore {
        try await TestStore(Relux.StoreConfiguration(states: [Items.State(list)])) {
            Items.Module(of: .guest, in: Relux.MemoryStorage())
        }
    }

    @Test func `an edit does what its action says, and returns the items concerned`() async throws {
        let store = try await store()
        let action = Items.List.Action.completed([.sample(1)], noon)

        let edit = await store.perform(Items.Edit(action))
        await store.receive(action) { (state: inout Items.State) in state.apply(action) }

        #expect(try await edit.output() == [.sample(1, "a", completed: 1_000_000)])
        await store.finish()
    }

    @Test func `what is deleted is returned as it was`() async throws {
        let store = try await store()
        let action = Items.List.Action.deleted([.sample(3), .sample(1)])

        let edit = await store.perform(Items.Edit(action))
        await store.receive(action) { (state: inout Items.State) in state.apply(action) }

        #expect(try await edit.output()?.map(\.title) == ["c", "a"])
        await store.finish()
    }

    @Test func `what can't be done is refused as a whole, with the reason`() {
        let done = Item.sample(3, "c", completed: 1_000_000)
        let refusals: [(Items.List.Action, Items.Refused)] = [
            (.added(.sample(4, " "), .end), .blankTitle),
            (.renamed(.sample(1), "\n"), .blankTitle),
            (.renamed(.sample(3), "x"), .completed(done)),
            (.moved(.sample(1), to: 2), .noPosition(3, count: 2)),
            (.moved(.sample(1), to: .max), .noPosition(.max, count: 2)),
            (.moved(.sample(1), to: .min), .noPosition(.min + 1, count: 2)),
            (.moved(.sample(9), to: 0), .gone),
            (.completed([.sample(1), .sample(3)], noon), .completed(done)),
            (.reopened([.sample(3), .sample(2)]), .active(.sample(2, "b"))),
            (.deleted([.sample(1), .sample(9)]), .gone),
        ]

        for (action, refused) in refusals {
            #expect(throws: refused) { try list.check(action) }
        }
    }

    @Test func `a refused edit throws its reason, and changes nothing`() async throws {
        let store = try await Relux.Store(Relux.StoreConfiguration(states: [Items.State(list)])) {
            Items.Module(of: .guest, in: Relux.MemoryStorage())
        }

        await #expect(throws: Items.Refused.gone) { try await store.call(Items.Edit(.deleted([.sample(9)]))) }

        #expect(try await store.state(of: Items.State.self).present == list)
    }

    @Test func `numbers count through the whole list`() throws {
        #expect(try list.ids(numbered: [3, 1, 3]) == [.sample(3), .sample(1)])
        for number in [0, 4, -1, .min, .max] {
            #expect(throws: Items.Refused.noItem(number: number, count: 3)) { try list.ids(numbered: [1, number]) }
        }
    }
}
