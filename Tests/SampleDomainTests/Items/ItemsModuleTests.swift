import Relux
import ReluxPersistence
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The list with its history, its selection, and what is saved.
@Suite(.timeLimit(.minutes(10))) struct ItemsModuleTests {
    private typealias Selection = Items.Selection

    private func store(_ storage: Relux.MemoryStorage) async throws -> Relux.Store {
        try await Relux.Store { Items.Module(of: .guest, in: storage) }
    }

    private func add(_ number: Int, _ title: String, to store: Relux.Store) async throws {
        await store.dispatch(Items.List.Action.added(.sample(number, title), .end))
        try await store.saved()
    }

    @Test func `every change is a step that can be undone and redone`() async throws {
        let store = try await TestStore { Items.Module(of: .guest, in: Relux.MemoryStorage()) }
        let added = Items.List.Action.added(.sample(1, "a"), .end)

        await store.dispatch(added) { (state: inout Items.State) in state.apply(added) }
        await store.dispatch(Items.State.Action.undo) { (state: inout Items.State) in state.reduce(.undo) }
        await store.dispatch(Items.State.Action.redo) { (state: inout Items.State) in state.reduce(.redo) }

        #expect(try await store.state(of: Items.State.self).present.titles == ["a"])
        await store.finish()
    }

    @Test func `what leaves the list leaves the selection in the same step`() async throws {
        let list = Items.List.of("a", "b")
        let store = try await TestStore(Relux.StoreConfiguration(states: [Items.State(list)])) {
            Items.Module(of: .guest, in: Relux.MemoryStorage())
        }
        let deleted = Items.List.Action.deleted([.sample(1)])

        await store.dispatch(Selection.Action.extended([.sample(1), .sample(2)])) { (selection: inout Selection) in
            selection.reduce(.extended([.sample(1), .sample(2)]))
        }
        await store.dispatch(
            deleted, { (state: inout Items.State) in state.apply(deleted) },
            { (selection: inout Selection) in selection.reduce(.toggled(.sample(1))) })
        await store.receive(Selection.Action.kept([.sample(2)]))

        await store.finish()
    }

    @Test func `the selection stays with its items, and changes by item, by range, or as a whole`() {
        var selection = Selection()

        selection.reduce(.toggled(.sample(1)))
        selection.reduce(.extended([.sample(2), .sample(3)]))
        selection.reduce(.toggled(.sample(1)))
        #expect(selection.ids == [.sample(2), .sample(3)])
        selection.reduce(.filtered("x"))
        selection.reduce(.cleared)

        #expect(selection.ids.isEmpty && selection.filter == "x")
    }

    @Test func `another program finds the list with its history, and can undo`() async throws {
        let storage = Relux.MemoryStorage()
        let first = try await store(storage)
        try await add(1, "a", to: first)
        try await add(2, "b", to: first)
        await first.shutdown()

        let second = try await store(storage)
        await second.dispatch(Items.State.Action.undo)

        #expect(try await second.state(of: Items.State.self).present.titles == ["a"])
    }

    @Test func `two programs on one list see what the other one does, and an undo is one for both`() async throws {
        let storage = Relux.MemoryStorage()
        let (first, second) = (try await store(storage), try await store(storage))

        try await add(1, "a", to: first)
        let seen = try await second.wait(until: Items.State.self) { $0.present.titles == ["a"] }
        try await add(2, "b", to: second)
        try await first.wait(until: Items.State.self) { $0.present.titles == ["a", "b"] }
        await first.dispatch(Items.State.Action.undo)
        try await first.saved()

        #expect(seen.canUndo)
        try await second.wait(until: Items.State.self) { $0.present.titles == ["a"] && $0.canRedo }
    }

    @Test func `each profile has a list of its own, also one with a strange name`() async throws {
        let storage = Relux.MemoryStorage()
        for profile in [Profile.guest, .named("guest"), .named("../guest"), .named("")] {
            let store = try await Relux.Store { Items.Module(of: profile, in: storage) }
            try await add(1, "of \(profile)", to: store)
        }

        // Besides the steps.
        #expect(storage.data.keys.count { !$0.contains("//") } == 4)
    }
}
