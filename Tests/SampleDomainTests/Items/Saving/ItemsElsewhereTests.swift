import Relux
import SampleServices
import Testing

@testable import SampleDomain

/// Two programs that follow each other's changes of one list, with real files.
@Suite(.timeLimit(.minutes(10))) struct ItemsElsewhereTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store() async throws -> Relux.Store {
        let store = try await Relux.Store { Items.Module(service: FileItemsService(folder: folder.path)) }
        try await store.perform(Items.Effect.load)
        return store
    }

    /// Waits until a program shows these titles, the active ones first.
    private func show(_ titles: [String], in store: Relux.Store) async {
        for await shown in store.values(of: Items.State.self, { $0.list.titles }) where shown == titles { return }
    }

    private func carryOut(_ command: Items.Command, in store: Relux.Store) async throws {
        try await store.perform(command)
        try await store.idle()
    }

    @Test func `of two changes to one item the later one wins, and both programs show it in the end`() async throws {
        let (mine, theirs) = (try await store(), try await store())
        try await carryOut(.add(title: "One", .end), in: mine)
        try await carryOut(.add(title: "Two", .end), in: mine)
        await show(["One", "Two"], in: theirs)
        let one = try #require(try await mine.state(of: Items.State.self).list.active.first?.id)

        try await carryOut(.rename(.id(one), title: "Mine"), in: mine)
        try await carryOut(.rename(.id(one), title: "Theirs"), in: theirs)
        await show(["Theirs", "Two"], in: mine)
        try await carryOut(.complete([.id(one)]), in: mine)

        await show(["Two", "Theirs"], in: theirs)
        for store in [mine, theirs] { #expect(try await !store.state(of: Items.State.self).hasUnsavedChanges) }
    }

    @Test func `changes to different items, and to different fields of one, are all kept`() async throws {
        let (mine, theirs) = (try await store(), try await store())
        for title in ["One", "Two", "Three"] { try await carryOut(.add(title: title, .end), in: mine) }
        await show(["One", "Two", "Three"], in: theirs)
        let ids = try await mine.state(of: Items.State.self).list.active.map(\.id)

        async let first: Void = carryOut(.rename(.id(ids[0]), title: "Uno"), in: mine)
        async let second: Void = carryOut(.move(.id(ids[0]), position: 3), in: theirs)
        async let third: Void = carryOut(.rename(.id(ids[1]), title: "Due"), in: theirs)
        _ = try await (first, second, third)

        for store in [mine, theirs] { await show(["Due", "Three", "Uno"], in: store) }
    }

    @Test func `a program's own writes aren't reported back to it`() async throws {
        let (mine, theirs) = (try await store(), try await store())
        let actions = mine.actionStream(of: Items.State.Action.self)
        for number in 1...5 { try await carryOut(.add(title: "Mine \(number)", .end), in: mine) }
        await show((1...5).map { "Mine \($0)" }, in: theirs)

        try await carryOut(.add(title: "Theirs", .top), in: theirs)
        await show(["Theirs"] + (1...5).map { "Mine \($0)" }, in: mine)

        var saves = 0
        for await action in actions {
            if case .saved = action { saves += 1 }
            guard case .changedElsewhere(let snapshot) = action else { continue }
            // The first report is about their change, which comes after all of mine.
            #expect(saves == 5 && snapshot.items.count == 6)
            break
        }
    }
}
